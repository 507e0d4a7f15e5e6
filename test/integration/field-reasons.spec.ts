import { describe, expect, it } from '@jest/globals';
import { getMetadataStorage } from 'class-validator';
import '../../src/app.module.js';
import { Environment } from '../../src/platform/config/environment.js';
import { hasReason } from '../../src/platform/dto/constraint-reasons.js';

interface Constraint {
  type: string;
  name?: string;
}

/** The constraints of all classes but the settings; class-validator lists those of a given class only. */
function constraintsOfRequests(): Constraint[] {
  const byClass = Reflect.get(getMetadataStorage(), 'validationMetadatas') as Map<
    unknown,
    Constraint[]
  >;
  return [...byClass].filter(([target]) => target !== Environment).flatMap(([, all]) => all);
}

/** They decide whether others apply, and refuse nothing themselves. */
const CONDITIONS = new Set([
  'conditionalValidation',
  'nestedValidation',
  'whitelistValidation',
  'isOptional',
]);

describe('the reason of a refused field', () => {
  it('is known for each constraint of the fields of requests', () => {
    const constraints = constraintsOfRequests();
    expect(constraints.length).toBeGreaterThan(100);
    const names = constraints
      .map(({ type, name }) => name ?? type)
      .filter((name) => !CONDITIONS.has(name));
    expect([...new Set(names)].filter((name) => !hasReason(name))).toEqual([]);
  });
});
