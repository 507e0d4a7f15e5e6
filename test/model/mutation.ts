/** A mutation: a request and its effect according to the contract. */
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { splitName } from '../support/operations.js';
import { databaseState } from '../support/rejected-requests.js';
import { expectRefusedFor, invalid, ofBody, type Refusal } from './expected-errors.js';
import type { Entity, User, Model } from './model.js';
import { checkAfterStep, stepCheckPlan, type StepCheckPlan } from './step-checks.js';

/** The request of a mutation, and its expected result. */
export interface Attempt {
  /** Undefined for a request without a token. */
  actor?: User;
  /** The path below the prefix. */
  path: string;
  /** Gives the path where it has an id that the model does not know. */
  findPath?: () => Promise<string>;
  body?: object;
  /** Expected errors; empty if it must succeed. */
  faults: Refusal[];
  /** The status and the effect if there are no errors. */
  effect: Effect;
  /** The affected entity, which is compared afterwards. */
  focus?: Entity;
}

interface Effect {
  status: 200 | 201 | 204;
  /** Updates the model with generated values of the response; returns the expected body. */
  apply: (responseBody: unknown) => unknown;
}

export function effect(
  status: 200 | 201,
  apply: (responseBody: never) => object | Promise<object>,
): Effect {
  return { status, apply: (responseBody) => apply(responseBody as never) };
}

/** The effect of a mutation without a response body. */
export function noContent(apply: () => void): Effect {
  return {
    status: 204,
    apply: () => {
      apply();
      return {};
    },
  };
}

export interface Mutation<Values> {
  /** The method and path of the OpenAPI document, below the prefix. */
  operation: string;
  values: fc.Arbitrary<Values>;
  /** Fields with values that are invalid in any state. */
  flaws?: Readonly<Record<string, unknown>>;
  /** Undefined if the model has no entity for the mutation. Does not change the model. */
  attempt: (model: Model, values: Values) => Attempt | undefined;
}

/** Sends the request and expects the response. */
async function perform(model: Model, operation: string, attempt: Attempt): Promise<void> {
  const { actor, path, findPath, body, faults, effect } = attempt;
  const { client } = actor ?? { client: model.service.anonymous };
  const sent = (await findPath?.()) ?? path;
  const response = await client.send(splitName(operation).method, sent).send(body);
  const [first, ...others] = faults;
  if (first) {
    expectRefusedFor([first, ...others], response);
    return;
  }
  const responseBody = response.body as unknown;
  expect({ status: response.status, responseBody }).toEqual({
    status: effect.status,
    responseBody: expect.anything(),
  });
  expect(responseBody).toEqual(await effect.apply(responseBody));
}

interface Generated<Values> {
  values: Values;
  /** The index of the invalid field in `flaws`; undefined for a valid body. */
  flaw: number | undefined;
  plan: StepCheckPlan;
}

/**
 * The model holds the expected state and the client of the service, so it is also the real system.
 */
export type Command = fc.AsyncCommand<Model, Model>;

/** A mutation with its values, as a command of a run. */
class Step<Values> implements Command {
  constructor(
    private readonly mutation: Mutation<Values>,
    private readonly generated: Generated<Values>,
  ) {}

  check(model: Readonly<Model>): boolean {
    return this.attempt(model) !== undefined;
  }

  async run(model: Model): Promise<void> {
    const attempt = this.attempt(model);
    if (!attempt) return;
    const { service, version } = model;
    const before = model.databaseState ?? (await databaseState(service));
    await perform(model, this.mutation.operation, attempt);
    model.databaseState = await databaseState(service);
    if (model.version === version) expect(model.databaseState).toEqual(before);
    await checkAfterStep(model, attempt, this.generated.plan);
  }

  toString(): string {
    return `${this.mutation.operation} ${JSON.stringify(this.generated)}`;
  }

  private attempt(model: Model): Attempt | undefined {
    const { values, flaw: number } = this.generated;
    const valid = this.mutation.attempt(model, values);
    const flaws = Object.entries(this.mutation.flaws ?? {});
    const flaw = number === undefined ? undefined : model.pick(flaws, number);
    if (!valid || !flaw) return valid;
    const [field, value] = flaw;
    return {
      ...valid,
      body: { ...valid.body, [field]: value },
      faults: [...valid.faults, ofBody(invalid(field))],
    };
  }
}

/** Performs a mutation of the initial state. */
export async function runSetupStep<Values>(
  model: Model,
  { operation, attempt }: Mutation<Values>,
  values: Values,
): Promise<void> {
  const attempted = attempt(model, values);
  if (!attempted) throw new Error(`${operation} is not possible yet`);
  await perform(model, operation, attempted);
}

/** Steps with random values; some bodies have an invalid field. */
export function steps<Values>(mutation: Mutation<Values>): fc.Arbitrary<Command> {
  const flaw = fc.oneof(
    { weight: 12, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.nat(9) },
  );
  return fc
    .record({ values: mutation.values, flaw, plan: stepCheckPlan })
    .map((generated) => new Step(mutation, generated));
}
