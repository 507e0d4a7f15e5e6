import type { EntityManager, EntityMetadata, ObjectLiteral, ObjectType } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';

/** How an entity lies in its table, as its decorators say. */
export class Mapping<Row extends object> {
  readonly table: string;
  /** All columns, each under the name of its property. */
  readonly selection: string;
  private readonly columns: ReadonlyMap<string, ColumnMetadata>;
  private readonly driver: PostgresDriver;

  private constructor(
    private readonly entity: ObjectType<Row>,
    { tableName, columns, dataSource }: EntityMetadata,
  ) {
    this.driver = dataSource.driver as PostgresDriver;
    this.table = tableName;
    this.columns = new Map(columns.map((column) => [column.propertyName, column]));
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

  columnOf(property: string): string {
    return this.metadataOf(property).databaseName;
  }

  toStored(property: string, value: unknown): unknown {
    return this.driver.preparePersistentValue(value, this.metadataOf(property));
  }

  /** A row that was selected as the {@link selection}. */
  fromStored(row: ObjectLiteral): Row {
    const record = new (this.entity as new () => Record<string, unknown>)();
    for (const [property, column] of this.columns) {
      record[property] = this.driver.prepareHydratedValue(row[property], column);
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
