import { expect } from "vitest";
import type { Answer } from "./answer.ts";

/** A refusal as the contract fixes it. */
export interface ExpectedProblem {
  readonly status: number;
  readonly title: string;
  /** The end of the URN. */
  readonly condition: string;
  /** The sentence, where the contract or this deployment fixes it. */
  readonly detail?: string;
  /** The members beyond the five of every problem, with their values. */
  readonly extensions?: Readonly<Record<string, unknown>>;
}

interface Refusal {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: unknown;
}

/** What there is to a refusal; compare it with `problem`. */
export function refusalIn({ status, headers, text }: Answer): Refusal {
  const contentType = headers.get("content-type");
  const isProblem = contentType === "application/problem+json";
  return { status, contentType, body: isProblem ? JSON.parse(text) : text };
}

/** Exactly this problem: status, media type, members and nothing more. */
export function problem(expected: ExpectedProblem): Refusal {
  const { status, title, condition, detail, extensions = {} } = expected;
  const body = {
    type: `urn:colophon:problem:${condition}`,
    title,
    status,
    detail: detail ?? expect.stringMatching(/^[A-Z].*\.$/),
    traceId: expect.stringMatching(/^\S+$/),
    ...extensions,
  };
  return { status, contentType: "application/problem+json", body };
}

export const UNAUTHORIZED: ExpectedProblem = {
  status: 401,
  title: "Unauthorized",
  condition: "unauthorized",
};

export const MALFORMED: ExpectedProblem = {
  status: 400,
  title: "Malformed request",
  condition: "malformed-request",
};

export const ENGINE_NOT_CONFIGURED: ExpectedProblem = {
  status: 503,
  title: "Engine not configured",
  condition: "engine-not-configured",
};

export const REGISTRATION_NOT_FOUND: ExpectedProblem = {
  status: 404,
  title: "Registration not found",
  condition: "registration-not-found",
};

/** A refused manifest, with its sentence. */
export function invalidManifest(detail: string): ExpectedProblem {
  return { status: 400, title: "Invalid manifest", condition: "invalid-manifest", detail };
}

/** An exhausted grant, with what is left. */
export function quotaExceeded(registrationRemaining: number, lookupRemaining: number): ExpectedProblem {
  return {
    status: 429,
    title: "Quota exceeded",
    condition: "quota-exceeded",
    extensions: { registrationRemaining, lookupRemaining },
  };
}
