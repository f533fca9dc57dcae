import { CamelCasePlugin, type PluginTransformResultArgs, type QueryResult, type UnknownRow } from "kysely";

/**
 * Columns are `snake_case` in the database and in SQL, `camelCase` everywhere else: in queries that are built, and in
 * the rows of any query. What a JSON column holds is left as it is. Names are looked up once a result, not once a row
 * as by Kysely.
 */
export class CamelCaseNames extends CamelCasePlugin {
  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const [first] = result.rows;
    if (first === undefined) return result;
    const names = Object.keys(first).map((column) => [column, this.camelCase(column)] as const);
    if (names.every(([column, name]) => column === name)) return result;
    return { ...result, rows: result.rows.map((row) => renamed(row, names)) };
  }
}

function renamed(row: UnknownRow, names: readonly (readonly [column: string, name: string])[]): UnknownRow {
  const named: UnknownRow = {};
  for (const [column, name] of names) named[name] = row[column];
  return named;
}
