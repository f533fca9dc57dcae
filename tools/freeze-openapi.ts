/**
 * Writes the OpenAPI documents again that the repository keeps, after a change of the contract or its extensions.
 *
 *     node tools/freeze-openapi.ts
 */
import { writeFile } from "node:fs/promises";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { FROZEN_DOCUMENTS } from "../packages/contract/src/frozen-openapi.ts";

readCommandLine({});
for (const [name, frozen] of Object.entries(FROZEN_DOCUMENTS)) {
  await writeFile(new URL(`../packages/contract/openapi/${name}`, import.meta.url), frozen());
}
