import { PARAMETERS, pathParameters } from "./openapi/parameters.ts";
import { problemResponses } from "./openapi/problem-responses.ts";
import { mediaExamples, referring, spelledOut } from "./openapi/references.ts";
import { requestBody } from "./openapi/request-body.ts";
import type { Answer, Authentication, Route, Tag } from "./route.ts";
import { ROUTES } from "./routes.ts";
import { COMPONENTS } from "./schemas/components.ts";

/** What a deployment says about itself in its document. */
export interface OpenApiOptions {
  /** The running build's version. */
  readonly version: string;
  /** The public address, without a trailing slash. */
  readonly baseUrl: string;
}

const TAGS: Readonly<Record<Tag, string>> = {
  Service: "What answers at this address.",
  Registrations: "One image registered in one call, and taken down again.",
  "Registration slots": "Many images gathered over several uploads and registered together.",
  "Look-up": "One image looked up in one call.",
  "Look-up slots": "Many query images gathered over several uploads and looked up together.",
  Records: "What was published about an original, and what is needed to verify it.",
  Account: "The caller's own grants and use.",
  Sequences: "Ordered chains of frames registered as one unit; switched on per account.",
  Administration: "The operator's routes: accounts, tokens, ledgers.",
};

const DESCRIPTION = [
  "Colophon registers images together with manifests that state their attribution, finds them again from",
  "crops and re-encodes, and publishes records that anyone can verify without trusting the service. Images",
  "themselves are never kept.",
  "",
  "Every refusal is an `application/problem+json` body; branch on its `title` or `type`. An address that no",
  "route answers is `404 Not found`, and a method that an address does not answer is `405 Method not allowed`",
  "with an `Allow` header. What belongs to another account answers as if it had never existed. There is no",
  "rate limit: an account meets its lifetime grants and the deployment's caps.",
].join("\n");

const SECURITY_SCHEMES = {
  accountToken: { type: "http", scheme: "bearer", description: "A token of an account." },
  adminToken: { type: "http", scheme: "bearer", description: "The deployment's operator token." },
  sequenceTicket: {
    type: "apiKey",
    in: "header",
    name: "X-Sequence-Ticket",
    description: "The ticket issued when the sequence was opened.",
  },
};

const HEADERS = {
  Location: {
    description: "Where what was opened is found.",
    schema: { type: "string", format: "uri-reference" },
    example: "/slots/b8e0a4d2-17c3-4f69-a5d8-2e9b6c3f0a71",
  },
  RetryAfter: {
    description:
      "Whole seconds to wait before sending the request again; on `Image could not be checked yet`.",
    schema: { type: "integer", minimum: 1 },
    example: 2,
  },
  Challenge: {
    description: "The authentication scheme to use.",
    schema: { type: "string" },
    example: "Bearer",
  },
};

/** The OpenAPI 3.1 document of the contract, every route included. */
export function openApiDocument({ version, baseUrl }: OpenApiOptions): object {
  const shared = new Map<string, object>();
  const paths = Object.fromEntries(
    [...new Set(ROUTES.map(({ path }) => path))].map((path) => [
      path,
      Object.fromEntries(
        ROUTES.filter((route) => route.path === path).map((route) => [
          route.method.toLowerCase(),
          operation(route, shared),
        ]),
      ),
    ]),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "Colophon",
      version,
      summary: "An image provenance registry",
      description: DESCRIPTION,
      contact: { name: "The operator of this deployment" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl, description: "This deployment." }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(COMPONENTS).map(([name, schema]) => [name, spelledOut(schema)]),
      ),
      parameters: PARAMETERS,
      responses: Object.fromEntries([...shared].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

function operation(route: Route, shared: Map<string, object>): object {
  const parameters = pathParameters(route.path);
  const responses = new Map<number, object>([[route.answer.status, answerResponse(route.answer)]]);
  for (const [status, response] of problemResponses(route, shared)) responses.set(status, response);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    security: security(route.auth, route.ticket === true),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: requestBody(route.body) }),
    responses: Object.fromEntries([...responses].toSorted(([a], [b]) => a - b)),
  };
}

function security(auth: Authentication, ticket: boolean): readonly object[] {
  if (auth === "none") return [];
  if (auth === "admin") return [{ adminToken: [] }];
  return [{ accountToken: [], ...(ticket ? { sequenceTicket: [] } : {}) }];
}

function answerResponse({ description, schema, ndjson, location }: Answer): object {
  const headers =
    location === true ? { headers: { Location: { $ref: "#/components/headers/Location" } } } : {};
  if (schema === undefined) return { description, ...headers };
  const mediaType = ndjson === true ? "application/x-ndjson" : "application/json";
  const content = { [mediaType]: { schema: referring(schema), examples: mediaExamples(schema) } };
  return { description, ...headers, content };
}
