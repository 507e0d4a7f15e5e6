/** One mutation: a request, and what the contract says must come of it. */
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { splitName } from '../support/operations.js';
import { databaseState } from '../support/refusals.js';
import { look, lookPlan, type LookPlan } from './look.js';
import { expectRefusedFor, invalid, type Refusal } from './refusals.js';
import type { Entity, User, World } from './world.js';

/** A mutation that someone is about to try. */
export interface Attempt {
  /** Nobody where it takes no token. */
  actor?: User;
  /** Below the prefix. */
  path: string;
  body?: object;
  /** Why it must be refused, if at all. */
  faults: Refusal[];
  /** The status otherwise, and what comes of it. */
  effect: Effect;
  /** What it is done to, for looking at it afterwards. */
  focus?: Entity;
}

interface Effect {
  status: 200 | 201 | 204;
  /** Changes the world, taking over what only the answer knows; gives the whole body to expect. */
  apply: (answer: unknown) => unknown;
}

export function effect(
  status: 200 | 201,
  apply: (answer: never) => object | Promise<object>,
): Effect {
  return { status, apply: (answer) => apply(answer as never) };
}

/** Of what answers without a body. */
export function silently(apply: () => void): Effect {
  return {
    status: 204,
    apply: () => {
      apply();
      return {};
    },
  };
}

export interface Mutation<Values> {
  /** As the OpenAPI document names it, below the prefix. */
  operation: string;
  values: fc.Arbitrary<Values>;
  /** Fields that are wrong in any state, with a value. */
  flaws?: Readonly<Record<string, unknown>>;
  /** Nothing where the world has nothing to do it to. Leaves the world as it is. */
  attempt: (world: World, values: Values) => Attempt | undefined;
}

/** Tries it, and expects the answer. */
async function perform(world: World, operation: string, attempt: Attempt): Promise<void> {
  const { actor, path, body, faults, effect } = attempt;
  const { client } = actor ?? { client: world.service.anonymous };
  const response = await client.send(splitName(operation).method, path).send(body);
  const [first, ...others] = faults;
  if (first) {
    expectRefusedFor([first, ...others], response);
    return;
  }
  const answer = response.body as unknown;
  expect({ status: response.status, answer }).toEqual({
    status: effect.status,
    answer: expect.anything(),
  });
  expect(answer).toEqual(await effect.apply(answer));
}

interface Generated<Values> {
  values: Values;
  /** Which of the flaws the body has. */
  flaw: number | undefined;
  plan: LookPlan;
}

/** The world is both: what is expected, and the way to the service. */
export type Command = fc.AsyncCommand<World, World>;

/** A mutation with its values, as a step of a story. */
class Step<Values> implements Command {
  constructor(
    private readonly mutation: Mutation<Values>,
    private readonly generated: Generated<Values>,
  ) {}

  check(world: Readonly<World>): boolean {
    return this.attempt(world) !== undefined;
  }

  async run(world: World): Promise<void> {
    const attempt = this.attempt(world);
    if (!attempt) return;
    const { service, version } = world;
    const before = world.state ?? (await databaseState(service));
    await perform(world, this.mutation.operation, attempt);
    world.state = await databaseState(service);
    if (world.version === version) expect(world.state).toEqual(before);
    await look(world, attempt, this.generated.plan);
  }

  toString(): string {
    return `${this.mutation.operation} ${JSON.stringify(this.generated)}`;
  }

  private attempt(world: World): Attempt | undefined {
    const { values, flaw: number } = this.generated;
    const right = this.mutation.attempt(world, values);
    const flaws = Object.entries(this.mutation.flaws ?? {});
    const flaw = number === undefined ? undefined : world.pick(flaws, number);
    if (!right || !flaw) return right;
    const [field, value] = flaw;
    return {
      ...right,
      body: { ...right.body, [field]: value },
      faults: [...right.faults, invalid(field)],
    };
  }
}

/** Tries it with these values, as the beginning of a story. */
export async function begin<Values>(
  world: World,
  { operation, attempt }: Mutation<Values>,
  values: Values,
): Promise<void> {
  const attempted = attempt(world, values);
  if (!attempted) throw new Error(`${operation} is not possible yet`);
  await perform(world, operation, attempted);
}

/** Now and then a body has a flaw. */
export function steps<Values>(mutation: Mutation<Values>): fc.Arbitrary<Command> {
  const flaw = fc.oneof(
    { weight: 12, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.nat(9) },
  );
  return fc
    .record({ values: mutation.values, flaw, plan: lookPlan })
    .map((generated) => new Step(mutation, generated));
}
