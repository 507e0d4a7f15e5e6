import { describe, expect, it } from '@jest/globals';
import { explainPort } from './ports.js';

const failure = (fields: object): Error => Object.assign(new Error('failed'), fields);

describe('a port that cannot be used', () => {
  it.each([
    ['PORT', 'EADDRINUSE', 'listen', 'Port 80 is in use; set PORT to another one'],
    ['METRICS_PORT', 'EADDRINUSE', 'listen', 'Port 80 is in use; set METRICS_PORT to another one'],
    ['PORT', 'EACCES', 'bind', 'Port 80 needs root; set PORT to one above 1023'],
    ['METRICS_PORT', 'EACCES', 'listen', 'Port 80 needs root; set METRICS_PORT to one above 1023'],
  ] as const)('a port that cannot be used is explained: %s, %s at %s', (setting, ...rest) => {
    const [code, syscall, message] = rest;
    expect(explainPort(setting, failure({ code, syscall, port: 80 }))).toEqual(new Error(message));
  });

  it('a port that cannot be used is not blamed for a file that is forbidden', () => {
    const error = failure({ code: 'EACCES', syscall: 'open' });
    expect(explainPort('PORT', error)).toBe(error);
  });
});
