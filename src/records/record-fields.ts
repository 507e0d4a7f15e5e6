/**
 * The fields of a record by their names in the API. Each entity declares them once; what the
 * activity log records, an undo takes back, a body sets and an export reads derives from that.
 */
import { Big } from 'big.js';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import { formatMoney } from '../platform/values/money.js';

/** A JSON value: ids, dates, amounts and enum values are strings. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** The recorded state of a record, with the field names of the API. */
export type Snapshot = Record<string, JsonValue>;

/** A field whose JSON is not the value of a property, or that a body sets. */
interface Field<Entity, Property = keyof Entity> {
  readonly properties: readonly Property[];
  readonly isEditable?: true;
  readonly write: (entity: Entity) => JsonValue;
  readonly read: (value: never, entity: Entity) => void;
  /** SQL of its value in an export, unless it has a column of its name. */
  readonly sql?: (row: string) => Sql;
}

/** Fields of any entity: a text is the name of the property that has the value. */
export type RecordFields = Readonly<Record<string, string | Field<never, string>>>;

/** The properties whose values are JSON. */
type JsonProperty<Entity> = {
  [P in keyof Entity]-?: Entity[P] extends JsonValue ? P : never;
}[keyof Entity];

type PropertyOf<F> = F extends { properties: readonly (infer P)[] } ? P : F;

type EditablePropertyOf<F> = F extends { isEditable: true } ? PropertyOf<F> & string : never;

/** What every record has beside its fields. */
type CommonProperty = 'fields' | 'type' | 'seq' | 'householdId';

/** The properties of an entity that are neither in its fields nor internal. */
type MissingProperty<Entity, Fields, Internal> = {
  [P in keyof Entity]-?: Entity[P] extends (...parameters: never[]) => unknown ? never : P;
}[Exclude<keyof Entity, PropertyOf<Fields[keyof Fields]> | Internal | CommonProperty>];

/**
 * Declares the fields of an entity, in the order of its snapshots. A property that is neither in a
 * field nor internal does not compile, nor does a value that is no JSON without a conversion.
 *
 * @param internal properties that no field shows
 */
export const recordFields =
  <Entity>() =>
  <
    const Fields extends Readonly<Record<string, JsonProperty<Entity> | Field<Entity>>>,
    const Internal extends keyof Entity = never,
  >(
    fields: Fields,
    _internal: readonly Internal[] = [],
    ..._missing: [MissingProperty<Entity, Fields, Internal>] extends [never]
      ? []
      : [missing: MissingProperty<Entity, Fields, Internal>]
  ): Fields =>
    fields;

/** A property whose values have another form in JSON; null stays null. */
const converted =
  <Value>(write: (value: Value) => JsonValue, read: (text: string) => Value) =>
  <const P extends string>(property: P) => ({
    properties: [property] as const,
    write: (entity: Readonly<Record<P, Value | null>>): JsonValue => {
      const value = entity[property];
      return value === null ? null : write(value);
    },
    read: (text: string | null, entity: Record<P, Value | null>): void => {
      entity[property] = text === null ? null : read(text);
    },
  });

/** An amount, with two decimals. */
export const money = converted<Big>(formatMoney, (text) => new Big(text));

export const instant = converted<Date>(
  (date) => date.toISOString(),
  (text) => new Date(text),
);

const asItIs = <const P extends string>(property: P) => ({
  properties: [property] as const,
  write: (entity: Readonly<Record<P, JsonValue>>): JsonValue => entity[property],
  read: (value: JsonValue, entity: Record<P, JsonValue>): void => {
    entity[property] = value;
  },
});

type AsItIs<P extends string> = ReturnType<typeof asItIs<P>>;

/** A field whose column does not have its name. */
export const inColumn = <const P extends string>(
  property: P,
  column: string,
): AsItIs<P> & { sql: (row: string) => Sql } => ({
  ...asItIs(property),
  sql: (row) => raw(`${row}.${column}`),
});

/** A field that a body sets, without a rule of the entity that decides about it. */
export function editable<const P extends string>(property: P): AsItIs<P> & { isEditable: true };
export function editable<const F extends object>(field: F): F & { isEditable: true };
export function editable(field: string | object): object {
  return { ...(typeof field === 'string' ? asItIs(field) : field), isEditable: true };
}

/** The properties that a body sets, with their types. */
export type Editable<Entity, Fields> = Pick<
  Entity,
  EditablePropertyOf<Fields[keyof Fields]> & keyof Entity
>;

/** The properties of a new record, which is active, that are null unless they are given. */
type OmittableProperty<Set> = {
  [P in keyof Set]: P extends 'active' ? P : null extends Set[P] ? P : never;
}[keyof Set];

/** What a body sets in a new record. */
export type NewFields<Set> = Omit<Set, OmittableProperty<Set>> &
  Partial<Pick<Set, OmittableProperty<Set>>>;

/** What a body sets, by the properties of the entity; the rest of the body is left out. */
export const fieldsIn = <Fields extends RecordFields, Body extends object>(
  fields: Fields,
  body: Body,
): {
  [N in keyof Body as N extends keyof Fields ? EditablePropertyOf<Fields[N]> : never]: Body[N];
} =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const field = fields[name];
      return typeof field === 'object' && field.isEditable ? [[field.properties[0], value]] : [];
    }),
  ) as never;

/** What a body sets in a record like this one. */
export function editableValues<Entity extends object, Fields extends RecordFields>(
  fields: Fields,
  record: Entity,
): Editable<Entity, Fields> {
  const properties = Object.values(fields).flatMap((field) =>
    typeof field === 'object' && field.isEditable ? field.properties : [],
  );
  return Object.fromEntries(properties.map((name) => [name, record[name as never]])) as never;
}

/** Sets the given properties; undefined: as it is. */
export function setFields<Entity extends object>(entity: Entity, values: Partial<Entity>): void {
  for (const [property, value] of Object.entries(values)) {
    if (value !== undefined) entity[property as keyof Entity] = value as never;
  }
}

/** @throws Error for a name that is no field, which is a programming error */
function fieldNamed(fields: RecordFields, name: string): RecordFields[string] {
  const field = fields[name];
  if (field === undefined) throw new Error(`${name} is not a field`);
  return field;
}

/** The values of the fields, or of some of them. */
export const snapshotOf = (
  fields: RecordFields,
  record: object,
  names: readonly string[] = Object.keys(fields),
): Snapshot =>
  Object.fromEntries(
    names.map((name) => {
      const field = fieldNamed(fields, name);
      const value =
        typeof field === 'string' ? record[field as never] : field.write(record as never);
      return [name, value];
    }),
  );

/** Takes recorded values back; fields without one stay as they are. */
export function restoreFields(fields: RecordFields, record: object, values: Snapshot): void {
  for (const [name, field] of Object.entries(fields)) {
    if (!(name in values)) continue;
    if (typeof field === 'string') Object.assign(record, { [field]: values[name] });
    else field.read(values[name] as never, record as never);
  }
}

/** Gives a record the values that another one has in some fields. */
export function copyFields<Entity extends object>(
  fields: RecordFields,
  names: readonly string[],
  { from, to }: { from: Entity; to: Entity },
): void {
  for (const name of names) {
    const field = fieldNamed(fields, name);
    const properties = typeof field === 'string' ? [field] : field.properties;
    for (const property of properties as (keyof Entity)[]) to[property] = from[property];
  }
}

/** SQL: the fields of a row with this alias as columns that have their names. */
export const columnsSql = (
  fields: RecordFields,
  row: string,
  omitted: readonly string[] = [],
): Sql => {
  const columns = Object.entries(fields)
    .filter(([name]) => !omitted.includes(name))
    .map(([name, field]) => {
      const value = typeof field === 'object' ? field.sql?.(row) : undefined;
      return value === undefined ? raw(`${row}.${name}`) : sql`${value} AS ${raw(`"${name}"`)}`;
    });
  return join(columns, ', ');
};
