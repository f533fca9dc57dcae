import type { Answer, Authentication, QueryParameter, Route, Tag } from "../route.ts";
import { NAMED_SCHEMAS } from "../schemas/components.ts";
import { PARAMETERS, pathParameters } from "./parameters.ts";
import { problemResponses } from "./problem-responses.ts";
import { mediaExamples, referring, spelledOut } from "./references.ts";
import { requestBody } from "./request-body.ts";
import { referredTo } from "./referred-to.ts";

/** What a deployment says about itself in its document. */
export interface Deployment {
  /** The running build's version. */
  readonly version: string;
  /** The public address, without a trailing slash. */
  readonly baseUrl: string;
}

/** What a document says about itself. */
export interface About {
  readonly title: string;
  readonly summary: string;
  readonly description: string;
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
  Library: "What is the caller's own: registrations, and the slots and sequences still open.",
  Log: "The transparency log: every publication and take-down, for anyone to check.",
  C2PA: "Soft binding resolution: from a copy of a picture to its Content Credentials.",
};

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

/** The OpenAPI 3.1 document of some routes, with the components that they refer to. */
export function describeRoutes(
  about: About,
  routes: readonly Route[],
  { version, baseUrl }: Deployment,
): object {
  const shared = new Map<string, object>();
  const paths = Object.fromEntries(
    [...new Set(routes.map(({ path }) => path))].map((path) => [
      path,
      Object.fromEntries(
        routes
          .filter((route) => route.path === path)
          .map((route) => [route.method.toLowerCase(), operation(route, shared)]),
      ),
    ]),
  );
  const components = {
    schemas: Object.fromEntries(
      Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [name, spelledOut(schema)]),
    ),
    parameters: PARAMETERS,
    responses: Object.fromEntries([...shared].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    headers: HEADERS,
    securitySchemes: SECURITY_SCHEMES,
  };
  const { title, ...said } = about;
  return {
    openapi: "3.1.0",
    info: {
      title,
      version,
      ...said,
      contact: { name: "The operator of this deployment" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl, description: "This deployment." }],
    tags: Object.entries(TAGS)
      .filter(([name]) => routes.some(({ tag }) => tag === name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: referredTo(paths, components),
  };
}

function operation(route: Route, shared: Map<string, object>): object {
  const parameters = [...pathParameters(route.path), ...(route.query ?? []).map(queryParameter)];
  const answers = route.otherwise === undefined ? [route.answer] : [route.answer, route.otherwise];
  const responses = new Map<number, object>(answers.map((answer) => [answer.status, answerResponse(answer)]));
  for (const [status, response] of problemResponses(route, shared)) responses.set(status, response);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: routeDescription(route),
    security: security(route.auth, route.ticket === true),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: requestBody(route.body) }),
    responses: Object.fromEntries([...responses].toSorted(([a], [b]) => a - b)),
  };
}

function routeDescription({ description, setting }: Route): string {
  return setting === undefined
    ? description
    : `${description} A deployment may switch it off (\`${setting}\`).`;
}

function queryParameter({ name, description, required, schema, example }: QueryParameter): object {
  return { name, in: "query", required: required === true, description, schema: spelledOut(schema), example };
}

function security(auth: Authentication, ticket: boolean): readonly object[] {
  if (auth === "none") return [];
  if (auth === "admin") return [{ adminToken: [] }];
  return [{ accountToken: [], ...(ticket ? { sequenceTicket: [] } : {}) }];
}

function answerResponse({
  description,
  schema,
  mediaType = "application/json",
  location,
}: Omit<Answer, "status">): object {
  const headers =
    location === true ? { headers: { Location: { $ref: "#/components/headers/Location" } } } : {};
  if (schema === undefined) return { description, ...headers };
  const content = { [mediaType]: { schema: referring(schema), examples: mediaExamples(schema) } };
  return { description, ...headers, content };
}
