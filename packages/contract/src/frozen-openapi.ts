import { openApiDocument } from "./openapi.ts";

/** The document as it is kept in the repository: a fixed version and address, two-space JSON, a final newline. */
export function frozenOpenApi(): string {
  const document = openApiDocument({ version: "v1", baseUrl: "https://colophon.invalid" });
  return `${JSON.stringify(document, null, 2)}\n`;
}
