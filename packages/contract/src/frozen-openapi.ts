import { c2paDocument } from "./c2pa-openapi.ts";
import { extensionsDocument } from "./extensions-openapi.ts";
import { openApiDocument } from "./openapi.ts";

/** Where the repository's documents say that they are served. */
const NOWHERE = { version: "v1", baseUrl: "https://colophon.invalid" } as const;

/** The documents as they are kept in the repository, by file name: two-space JSON, a final newline. */
export const FROZEN_DOCUMENTS: Readonly<Record<string, () => string>> = {
  "v1.json": () => frozen(openApiDocument(NOWHERE)),
  "extensions.json": () => frozen(extensionsDocument(NOWHERE)),
  "c2pa.json": () => frozen(c2paDocument(NOWHERE)),
};

function frozen(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
