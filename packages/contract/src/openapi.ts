import { type Deployment, describeRoutes } from "./openapi/document.ts";
import { ROUTES } from "./routes.ts";

const DESCRIPTION: string = [
  "Colophon registers images together with manifests that state their attribution, finds them again from",
  "crops and re-encodes, and publishes records that anyone can verify without trusting the service. Images",
  "themselves are never kept.",
  "",
  "Every refusal is an `application/problem+json` body; branch on its `title` or `type`. An address that no",
  "route answers is `404 Not found`, and a method that an address does not answer is `405 Method not allowed`",
  "with an `Allow` header. What belongs to another account answers as if it had never existed. There is no",
  "rate limit: an account meets its lifetime grants and the deployment's caps.",
].join("\n");

/** The OpenAPI 3.1 document of the contract, every route included. */
export function openApiDocument(deployment: Deployment): object {
  const about = { title: "Colophon", summary: "An image provenance registry", description: DESCRIPTION };
  return describeRoutes(about, ROUTES, deployment);
}
