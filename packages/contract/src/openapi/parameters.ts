import { EXAMPLE } from "../schemas/examples.ts";

interface PathParameter {
  readonly name: string;
  readonly in: "path";
  readonly required: true;
  readonly description: string;
  readonly schema: object;
  readonly example: string | number;
}

function parameter(
  name: string,
  description: string,
  schema: object,
  example: string | number,
): PathParameter {
  return { name, in: "path", required: true, description, schema, example };
}

const uuid = { type: "string", format: "uuid" };
const hash = { type: "string", pattern: "^[0-9a-f]{64}$" };
const level = { type: "string", pattern: "^(entries|[0-9]{1,2})$" };
const tile = { type: "string", pattern: "^(x[0-9]{3}/)*[0-9]{3}([.]p/[1-9][0-9]{0,2})?$" };
const timestamp = { type: "string", pattern: "^[1-9][0-9]*[.]tsr$" };
const frame = { type: "integer", minimum: 0, maximum: 4294967294 };

/** Every path parameter of the contract, by name. */
export const PARAMETERS: Readonly<Record<string, PathParameter>> = Object.fromEntries(
  [
    parameter("registrationId", "A registration of the caller's.", uuid, EXAMPLE.registrationId),
    parameter("slotId", "A registration slot of the caller's.", { type: "string" }, EXAMPLE.slotId),
    parameter("lookupSlotId", "A look-up slot of the caller's.", { type: "string" }, EXAMPLE.lookupSlotId),
    parameter("imageHash", "SHA-256 of an image of the slot.", hash, EXAMPLE.imageHash),
    parameter("originalImageHash", "The hash of any original image.", hash, EXAMPLE.originalImageHash),
    parameter("sequenceId", "A sequence of the caller's.", uuid, EXAMPLE.sequenceId),
    parameter("frameId", "A frame of the sequence.", frame, 4),
    parameter("accountId", "An account of the deployment.", uuid, EXAMPLE.accountId),
    parameter("logLevel", "A level of tiles, 0 for that of the leaves, or `entries`.", level, "0"),
    parameter(
      "logTile",
      "The number of a tile in groups of three digits, and the width of a partial one.",
      tile,
      "x001/234.p/5",
    ),
    parameter("logTimestamp", "The size of a checkpoint, and `.tsr`.", timestamp, "20852163.tsr"),
    parameter(
      "manifestId",
      "The label of a store's active manifest, percent-encoded.",
      { type: "string" },
      EXAMPLE.c2paLabel,
    ),
    parameter("tokenId", "A token of the account.", uuid, EXAMPLE.tokenId),
  ].map((entry) => [entry.name, entry]),
);

/** References to the parameters that a path names, in its order. */
export function pathParameters(path: string): readonly { readonly $ref: string }[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => {
    if (!(name in PARAMETERS)) throw new TypeError(`no path parameter is named ${name}`);
    return { $ref: `#/components/parameters/${name}` };
  });
}
