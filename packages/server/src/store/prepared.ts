import type { PoolClient } from "pg";

/**
 * Statements that are prepared, of all that a process asks. A connection keeps some 20 KB of each that it has been
 * asked.
 */
const MOST = 256;
/** A longer text is that of many rows, and asked with as many again hardly ever. */
const LONGEST = 1_500;
/**
 * What answers whatever columns there are: once a later version has added one, a prepared statement answers no more.
 */
const ALL_COLUMNS = /[\s.]\*/;

const names = new Map<string, string>();

/** The name under which connections prepare a statement; undefined for one that they do not. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST) return known;
  if (text.length > LONGEST || ALL_COLUMNS.test(text)) return undefined;
  const name = `colophon ${names.size}`;
  names.set(text, name);
  return name;
}

type Asking = (...args: readonly unknown[]) => unknown;

/**
 * Has a connection prepare the statements with parameters that it is asked, so that the server reads and plans each
 * once.
 */
export function prepareStatements(client: PoolClient): void {
  const own = client as { query: Asking };
  const query: Asking = own.query.bind(client);
  own.query = (...args) => {
    const [text, values] = args;
    if (typeof text !== "string" || !Array.isArray(values) || values.length === 0) return query(...args);
    return query({ name: nameOf(text), text, values });
  };
}
