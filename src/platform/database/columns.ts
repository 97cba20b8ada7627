import type { EntitySchema, EntitySchemaColumnOptions } from 'typeorm';

/** An id column: compared byte by byte, so that ids sort by time. */
export const ID = { type: 'text', collation: 'C' } as const;

type Property<Row> = string & keyof Row;

/** `m.account_id AS "accountId", …` for a SELECT from rows called `alias`; all columns if no properties are given. */
export const selectList = <Row>(
  schema: EntitySchema<Row>,
  alias: string,
  properties: readonly Property<Row>[] = propertiesOf(schema),
): string => properties.map((property) => `${alias}.${columnName(schema, property)} AS "${property}"`).join(', ');

/** `account_id, created_at, …` for an INSERT. */
export const columnNames = <Row>(schema: EntitySchema<Row>, properties: readonly Property<Row>[]): string =>
  properties.map((property) => columnName(schema, property)).join(', ');

/** The columns of an INSERT and, in the same order, the SQL expressions that are selected for them. */
export function insertLists<Row>(
  schema: EntitySchema<Row>,
  expressions: Partial<Record<Property<Row>, string>>,
): { columns: string; values: string } {
  const properties = Object.keys(expressions) as Property<Row>[];
  return { columns: columnNames(schema, properties), values: Object.values(expressions).join(', ') };
}

/** `"accountId" text, "createdAt" timestamptz, …` for json_to_recordset. */
export const recordColumns = <Row>(schema: EntitySchema<Row>, properties: readonly Property<Row>[]): string =>
  properties.map((property) => `"${property}" ${String(columnOf(schema, property).type)}`).join(', ');

/** `'accountId', e.account_id, …` for json_build_object. */
export const jsonFields = <Row>(schema: EntitySchema<Row>, alias: string): string =>
  propertiesOf(schema)
    .map((property) => `'${property}', ${alias}.${columnName(schema, property)}`)
    .join(', ');

const columnName = <Row>(schema: EntitySchema<Row>, property: Property<Row>): string =>
  columnOf(schema, property).name ?? property;

function columnOf<Row>(schema: EntitySchema<Row>, property: Property<Row>): EntitySchemaColumnOptions {
  const column = (schema.options.columns as Record<string, EntitySchemaColumnOptions | undefined>)[property];
  if (!column) throw new Error(`${schema.options.name} has no column for ${property}`);
  return column;
}

/** The properties that are selected by default. */
export const propertiesOf = <Row>(schema: EntitySchema<Row>): Property<Row>[] =>
  Object.entries(schema.options.columns as Record<string, EntitySchemaColumnOptions>)
    .filter(([, { select = true }]) => select)
    .map(([property]) => property as Property<Row>);

/** `'sent', 'delivered', …`: literals of constants, never of input. */
export const textList = (constants: readonly string[]): string =>
  constants.map((constant) => `'${constant}'`).join(', ');
