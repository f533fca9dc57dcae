import { problemSchema } from "../problem-schema.ts";
import { problemType, REFUSALS, type RefusalCode } from "../refusals.ts";
import type { Route } from "../route.ts";
import { EXAMPLE } from "../schemas/examples.ts";
import { mediaExamples, referring } from "./references.ts";

/** A code with those of its sentences that the route may answer. */
interface Cause {
  readonly code: RefusalCode;
  readonly details: readonly (readonly [name: string, sentence: string])[];
}

const FIVE_MEMBERS: ReadonlySet<string> = new Set(["type", "title", "status", "detail", "traceId"]);
const EXAMPLE_MANIFEST_LIMIT = 16;
const RETRY_LATER = {
  description: "Whole seconds to wait before asking again.",
  schema: { type: "integer", minimum: 1 },
  example: 1,
};

/**
 * The problem answers of a route, by status. An answer that is the same wherever it occurs goes into
 * `shared`, under a name made of its titles, and is referred to.
 */
export function problemResponses(route: Route, shared: Map<string, object>): Map<number, object> {
  const inSequence = route.ticket === true;
  const responses = new Map<number, object>();
  for (const status of new Set(codesOf(route).map((code) => REFUSALS[code].status))) {
    const codes = codesOf(route).filter((code) => REFUSALS[code].status === status);
    const response = problemResponse(
      codes.map((code) => causeOf(code, route)),
      inSequence,
    );
    const particular =
      codes.includes("malformedRequest") || (inSequence && codes.includes("imageCouldNotBeChecked"));
    if (particular) {
      responses.set(status, response);
      continue;
    }
    const name = codes.map(pascalCase).join("Or");
    shared.set(name, response);
    responses.set(status, { $ref: `#/components/responses/${name}` });
  }
  return responses;
}

function codesOf(route: Route): RefusalCode[] {
  const authentication: RefusalCode[] = route.auth === "none" ? [] : ["unauthorized"];
  return [...route.refusals, ...authentication, "unexpectedError"];
}

function causeOf(code: RefusalCode, route: Route): Cause {
  const sentences: Record<string, string | ((limit: number) => string)> = REFUSALS[code].details;
  const known: readonly string[] =
    code === "malformedRequest" ? (route.malformed ?? []) : Object.keys(sentences);
  const details = known.map((name) => {
    const sentence = sentences[name] ?? "";
    return [name, typeof sentence === "string" ? sentence : sentence(EXAMPLE_MANIFEST_LIMIT)] as const;
  });
  return { code, details };
}

function problemResponse(causes: readonly Cause[], inSequence: boolean): object {
  const schemas = new Set(causes.map(({ code }) => problemSchema(code, { inSequence })));
  const references = [...schemas].map(referring);
  const schema = references.length === 1 ? references[0] : { anyOf: references };
  const examples = Object.assign({}, ...causes.map((cause) => problemExamples(cause, inSequence)));
  const headers = problemHeaders(causes);
  return {
    description: `${causes.map(({ code }) => REFUSALS[code].title).join("; or: ")}.`,
    ...(headers === undefined ? {} : { headers }),
    content: { "application/problem+json": { schema, examples } },
  };
}

function problemHeaders(causes: readonly Cause[]): object | undefined {
  const codes = new Set(causes.map(({ code }) => code));
  if (codes.has("imageCouldNotBeCheckedYet")) {
    return { "Retry-After": { $ref: "#/components/headers/RetryAfter" } };
  }
  if (codes.has("proofNotReady") || codes.has("tooManyRequests")) {
    return { "Retry-After": RETRY_LATER };
  }
  if (codes.has("unauthorized")) return { "WWW-Authenticate": { $ref: "#/components/headers/Challenge" } };
  return undefined;
}

function problemExamples({ code, details }: Cause, inSequence: boolean): Record<string, object> {
  const { title, status } = REFUSALS[code];
  const [model] = Object.values(mediaExamples(problemSchema(code, { inSequence })));
  const extensions = Object.fromEntries(
    Object.entries(model?.value ?? {}).filter(([name]) => !FIVE_MEMBERS.has(name)),
  );
  return Object.fromEntries(
    details.map(([name, detail]) => {
      const five = { type: problemType(code), title, status, detail, traceId: EXAMPLE.traceId };
      const key = details.length === 1 ? code : `${code}-${name}`;
      return [key, { summary: title, value: { ...five, ...extensions } }];
    }),
  );
}

function pascalCase(code: RefusalCode): string {
  return `${code.slice(0, 1).toUpperCase()}${code.slice(1)}`;
}
