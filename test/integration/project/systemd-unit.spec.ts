import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadSettings } from '../../../src/platform/config/settings.js';

const UNIT = 'deploy/expense-service@.service';
const unit = readFileSync(new URL(`../../../${UNIT}`, import.meta.url), 'utf8');

const valueOf = (name: string): string | undefined =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];

describe('the systemd unit', () => {
  it('the systemd unit runs Node.js directly, so that it gets the signals', () => {
    expect(valueOf('ExecStart')).toBe('/usr/bin/env node current/dist/src/main.js');
  });

  it('the systemd unit gives the shutdown enough time', () => {
    const { delaySeconds, timeoutSeconds } = loadSettings({
      NODE_ENV: 'production',
      DATA_DIR: 'memory://',
    }).shutdown;
    // With SMTP_URL seven seconds more.
    expect(Number(valueOf('TimeoutStopSec'))).toBeGreaterThan(delaySeconds + timeoutSeconds + 7);
  });

  it('the systemd unit lets Node.js compile at run time', () => {
    expect(valueOf('MemoryDenyWriteExecute')).toBeUndefined();
  });

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
  const missing = hasSystemd ? '' : '; missing: systemd-analyze';

  (hasSystemd ? it : it.skip)(`the systemd unit is hardened${missing}`, () => {
    const args = ['--no-pager', 'security', '--offline=true', UNIT];
    const { stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    expect(stderr).toBe('');
    const [, exposure] = /Overall exposure level .*: (\d+\.\d)/.exec(stdout) ?? [];
    expect(Number(exposure)).toBeLessThan(5);
  });
});
