import { describe, expect, test } from "vitest";
import { problemType, REFUSAL_CODES, REFUSALS } from "../src/index.ts";

/** The contract's titles and statuses, and `Service unavailable`, which any route with a token may answer. */
const TITLES: Readonly<Record<string, number>> = {
  "Malformed request": 400,
  "Invalid manifest": 400,
  "Too many declared hashes": 400,
  "Invalid declared hash": 400,
  "Frame refused": 400,
  "Frame is not a BODY frame": 400,
  Unauthorized: 401,
  "Sequences not enabled": 403,
  "Sequence ticket refused": 403,
  "Not found": 404,
  "Slot not found": 404,
  "Entry not found": 404,
  "Registration not found": 404,
  "Sequence not found": 404,
  "Frame not found": 404,
  "Account not found": 404,
  "Token not found": 404,
  "Method not allowed": 405,
  "Open-slot cap reached": 409,
  "Slot is no longer open": 409,
  "Image not registered": 409,
  "Sequence does not accept this command": 409,
  "Sequence not committable": 409,
  "Frame conflict": 409,
  "Request too large": 413,
  "Image too large": 413,
  "Manifest too large": 413,
  "Unsupported image content type": 415,
  "Image could not be checked": 422,
  "Quota exceeded": 429,
  "Too many requests": 429,
  "Unexpected error": 500,
  "Sequence admission failed": 500,
  "Sequence commit failed": 500,
  "Image could not be checked yet": 503,
  "Engine not configured": 503,
  "Service unavailable": 503,
  "Take-down refused": 503,
};

/** Titles that only routes beyond the contract answer. */
const TITLES_BEYOND: Readonly<Record<string, number>> = {
  "Original not found": 404,
  "Proof not found": 404,
  "Manifest not found": 404,
  "Open-sequence cap reached": 409,
  "URI too long": 414,
  "Proof not ready": 503,
};

describe("the table of refusals", () => {
  test("holds exactly the contract's titles and those of its extensions, each with its status", () => {
    const table = Object.fromEntries(
      REFUSAL_CODES.map((code) => [REFUSALS[code].title, REFUSALS[code].status]),
    );
    expect(table).toEqual({ ...TITLES, ...TITLES_BEYOND });
  });

  test("names every code after its title", () => {
    for (const code of REFUSAL_CODES) {
      const words = REFUSALS[code].title.toLowerCase().split(/[^a-z]+/);
      const camelCase = words
        .map((word, i) => (i === 0 ? word : word[0]?.toUpperCase() + word.slice(1)))
        .join("");
      expect(code).toBe(camelCase);
    }
  });

  test("gives every code a URN of its own", () => {
    const types = REFUSAL_CODES.map(problemType);
    expect(new Set(types).size).toBe(types.length);
    expect(types.every((type) => /^urn:colophon:problem:[a-z]+(-[a-z]+)*$/.test(type))).toBe(true);
    expect(problemType("slotNotFound")).toBe("urn:colophon:problem:slot-not-found");
    expect(problemType("openSlotCapReached")).toBe("urn:colophon:problem:open-slot-cap-reached");
    expect(problemType("takeDownRefused")).toBe("urn:colophon:problem:take-down-refused");
  });

  test("says one thing in one sentence", () => {
    const sentences = REFUSAL_CODES.flatMap((code) =>
      Object.values(REFUSALS[code].details).map((detail) =>
        typeof detail === "string" ? detail : detail(3),
      ),
    );
    expect(new Set(sentences).size).toBe(sentences.length);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*[.]$/);
  });
});
