import { writeFile } from "node:fs/promises";
import { FROZEN_DOCUMENTS } from "../packages/contract/src/frozen-openapi.ts";

// Rewrites the OpenAPI documents kept in the repository after a change of the contract or its extensions.
for (const [name, frozen] of Object.entries(FROZEN_DOCUMENTS)) {
  await writeFile(new URL(`../packages/contract/openapi/${name}`, import.meta.url), frozen());
}
