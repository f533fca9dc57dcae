import type { ColumnType } from "kysely";

/** A column that is null when an insert leaves it out. */
export type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;
