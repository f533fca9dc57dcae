import { type Deployment, describeRoutes } from "./openapi/document.ts";
import { EXTENSIONS } from "./routes.ts";

const DESCRIPTION: string = [
  "The C2PA Soft Binding Resolution API, version 2.4, of an image provenance registry: from a copy of a picture, or from",
  "what a watermark says, to the C2PA manifest stores registered with it. Stores are candidates, not endorsements: validate",
  "what you fetch. Errors and tokens are as in the registry's contract, `/openapi/v1.json`. While the database is away,",
  "every query answers 503 with `Retry-After`.",
].join("\n");

/** The OpenAPI 3.1 document of the soft binding resolution API, whatever is switched off. */
export function c2paDocument(deployment: Deployment): object {
  const about = {
    title: "Colophon: C2PA soft binding resolution",
    summary: "Content Credentials found again from a copy",
    description: DESCRIPTION,
  };
  return describeRoutes(
    about,
    EXTENSIONS.filter(({ tag }) => tag === "C2PA"),
    deployment,
  );
}
