import { Type } from "typebox";
import { Compile } from "typebox/schema";

const HEADER = Type.Object({
  format: Type.Literal("colophon-backup"),
  version: Type.Literal(1),
  madeBy: Type.String(),
  madeAt: Type.String(),
  migrations: Type.Array(Type.String()),
  tables: Type.Array(Type.Object({ name: Type.String(), columns: Type.Array(Type.String()) })),
  sequences: Type.Record(Type.String(), Type.Integer()),
  key: Type.Union([Type.Null(), Type.Object({ salt: Type.String(), sealed: Type.String() })]),
});

const HEADER_VALIDATOR = Compile(HEADER);

/** What a backup begins with, the one member that is no rows. `docs/how-to/back-up.md` describes the whole. */
export interface BackupHeader {
  readonly format: "colophon-backup";
  readonly version: 1;
  /** Version of the product. */
  readonly madeBy: string;
  /** RFC 3339. */
  readonly madeAt: string;
  readonly migrations: readonly string[];
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
  /** The last number that each sequence gave out. */
  readonly sequences: Readonly<Record<string, number>>;
  readonly key: { readonly salt: string; readonly sealed: string } | null;
}

export const HEADER_NAME = "backup.json";
export const CHECKSUMS_NAME = "checksums";

/** The longest member: what a backup and a restore hold in memory at once. */
export const MEMBER_BYTES = 4_194_304;
/** The list of checksums names each of them: enough for some 2 TB. */
export const CHECKSUMS_BYTES = 67_108_864;

const DIGITS = 8;

/** The name of a piece of a table's rows, counted from 1. */
export function pieceName(table: string, piece: number): string {
  return `tables/${table}/${String(piece).padStart(DIGITS, "0")}`;
}

/** The table that a member has rows of; null for another member. */
export function tableOf(member: string): string | null {
  return /^tables\/([^/]+)\/\d+$/.exec(member)?.[1] ?? null;
}

/** A line of `b3sum`. */
export function checksumLine(hash: string, name: string): string {
  return `${hash}  ${name}\n`;
}

/** @throws Error with one clear line when it is no header that this build reads */
export function parseHeader(bytes: Uint8Array): BackupHeader {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch (error) {
    throw new Error("The file is not a backup of Colophon.", { cause: error });
  }
  if (!HEADER_VALIDATOR.Check(value)) throw new Error("The file is not a backup that this build reads.");
  return value;
}
