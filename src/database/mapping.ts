import type { EntityManager, EntityMetadata, ObjectLiteral, ObjectType } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';

/** Types whose values are in the database as they are in an entity. */
const PLAIN_TYPES: ReadonlySet<unknown> = new Set([
  'bigint',
  'boolean',
  'date',
  'enum',
  'text',
  'uuid',
  'varchar',
]);

const isPlain = ({ type, isArray, transformer }: ColumnMetadata): boolean =>
  PLAIN_TYPES.has(type) && !isArray && transformer === undefined;

/** How an entity lies in its table, as its decorators say. */
export class Mapping<Row extends object> {
  readonly table: string;
  /** All columns, each under the name of its property. */
  readonly selection: string;
  private readonly columns: ReadonlyMap<string, ColumnMetadata>;
  /** Properties that need no conversion: the driver takes long to find that out for each value. */
  private readonly plain: ReadonlySet<string>;
  private readonly driver: PostgresDriver;
  private readonly statements = new Map<string, string>();

  private constructor(
    private readonly entity: ObjectType<Row>,
    { tableName, columns, dataSource }: EntityMetadata,
  ) {
    this.driver = dataSource.driver as PostgresDriver;
    this.table = tableName;
    this.columns = new Map(columns.map((column) => [column.propertyName, column]));
    this.plain = new Set(columns.filter(isPlain).map(({ propertyName }) => propertyName));
    this.selection = columns
      .map(({ databaseName, propertyName }) => `${databaseName} AS "${propertyName}"`)
      .join(', ');
  }

  static of<Row extends object>(manager: EntityManager, entity: ObjectType<Row>): Mapping<Row> {
    const metadata = manager.dataSource.getMetadata(entity);
    const mapping = known.get(metadata) ?? new Mapping<object>(entity, metadata);
    known.set(metadata, mapping);
    return mapping as Mapping<Row>;
  }

  /** A text that is put together once: the connection knows it again at once as the statement it prepared. */
  statement(name: string, build: () => string): string {
    const known = this.statements.get(name);
    if (known !== undefined) return known;
    const text = build();
    this.statements.set(name, text);
    return text;
  }

  columnOf(property: string): string {
    return this.metadataOf(property).databaseName;
  }

  toStored(property: string, value: unknown): unknown {
    if (this.plain.has(property)) return value;
    return this.driver.preparePersistentValue(value, this.metadataOf(property));
  }

  /** A row that was selected as the {@link selection}. */
  fromStored(row: ObjectLiteral): Row {
    const record = new (this.entity as new () => Record<string, unknown>)();
    for (const [property, column] of this.columns) {
      const value: unknown = row[property];
      record[property] = this.plain.has(property)
        ? value
        : this.driver.prepareHydratedValue(value, column);
    }
    return record as Row;
  }

  private metadataOf(property: string): ColumnMetadata {
    const column = this.columns.get(property);
    if (!column) throw new Error(`${this.table} has no ${property}`);
    return column;
  }
}

const known = new WeakMap<EntityMetadata, Mapping<object>>();
