import { type Deployment, describeRoutes } from "./openapi/document.ts";
import { EXTENSIONS } from "./routes.ts";

const DESCRIPTION: string = [
  "What this registry offers beyond its contract. Errors, tokens and charging are as in the contract, whose",
  "document is `/openapi/v1.json`. Routes that a deployment has switched off are described here too; there",
  "they answer `404 Not found`. While the database is away, every route that takes a token answers",
  "`503 Service unavailable` with `Retry-After`, where it lists no 503 of its own.",
  "",
  "A deployment may open its reads (`COLOPHON_PUBLIC`): with `records` both records routes and the proofs answer without a token, with",
  "`lookups` look-ups too. Such a call is charged to nobody, names nothing as the caller's own, and is bounded for each",
  "address: past the bound it is answered `429 Too many requests` with `Retry-After`.",
].join("\n");

/** The OpenAPI 3.1 document of everything beyond the contract, whatever is switched off. */
export function extensionsDocument(deployment: Deployment): object {
  const about = {
    title: "Colophon extensions",
    summary: "Beyond the contract of an image provenance registry",
    description: DESCRIPTION,
  };
  return describeRoutes(about, EXTENSIONS, deployment);
}
