import { writeFile } from "node:fs/promises";
import { frozenOpenApi } from "../packages/contract/src/frozen-openapi.ts";

// Rewrites the OpenAPI document kept in the repository after a change of the contract.
await writeFile(new URL("../packages/contract/openapi/v1.json", import.meta.url), frozenOpenApi());
