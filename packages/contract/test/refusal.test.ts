import { describe, expect, test } from "vitest";
import { problemOf, Refusal, refuse } from "../src/index.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const FIVE = ["detail", "status", "title", "traceId", "type"];
const keysOf = (refusal: Refusal): string[] => Object.keys(problemOf(refusal, traceId).body).toSorted();

const wait = (retryAfterSeconds: number): string | undefined =>
  problemOf(refuse("imageCouldNotBeCheckedYet", { retryAfterSeconds }), traceId).headers["retry-after"];

describe("a refusal as a problem", () => {
  test("has five members and repeats the status", () => {
    expect(problemOf(refuse("slotNotFound"), traceId)).toEqual({
      status: 404,
      headers: { "content-type": "application/problem+json" },
      body: {
        type: "urn:colophon:problem:slot-not-found",
        title: "Slot not found",
        status: 404,
        detail: "The account has no such slot.",
        traceId,
      },
    });
  });

  test("carries the cap", () => {
    const { body } = problemOf(refuse("openSlotCapReached", { cap: 16 }), traceId);
    expect(body["cap"]).toBe(16);
    expect(Object.keys(body).toSorted()).toEqual(["cap", ...FIVE].toSorted());
  });

  test("names the matching registration only when it is given", () => {
    const registrationId = "6f2c1d7e-90ab-4c35-8e12-3d4f5a6b7c8d";
    const own = refuse("imageNotRegistered", "derivative", { registrationId });
    expect(problemOf(own, traceId).body["registrationId"]).toBe(registrationId);
    expect(keysOf(refuse("imageNotRegistered", "alreadyRegistered"))).toEqual(FIVE);
    expect(keysOf(refuse("imageNotRegistered", "alreadyRegistered", {}))).toEqual(FIVE);
  });

  test("states both remaining grants on a quota refusal", () => {
    const refusal = refuse("quotaExceeded", "lookups", { registrationRemaining: 3, lookupRemaining: 0 });
    expect(keysOf(refusal)).toEqual([...FIVE, "registrationRemaining", "lookupRemaining"].toSorted());
  });

  test("puts the time to wait into the header alone, in whole seconds", () => {
    expect([0, 0.2, 1, 1.2, 30].map(wait)).toEqual(["1", "1", "1", "2", "30"]);
    expect(keysOf(refuse("imageCouldNotBeCheckedYet", { retryAfterSeconds: 2 }))).toEqual(FIVE);
    const unavailable = problemOf(refuse("serviceUnavailable", { retryAfterSeconds: 2 }), traceId);
    expect([unavailable.status, unavailable.headers["retry-after"]]).toEqual([503, "2"]);
    expect(unavailable.body.type).toBe("urn:colophon:problem:service-unavailable");
  });

  test("names the frame at fault and the shortfalls of a sequence", () => {
    expect(keysOf(refuse("frameConflict", "neighbour", { frameId: 0 }))).toEqual(
      [...FIVE, "frameId"].toSorted(),
    );
    expect(keysOf(refuse("frameConflict", "sequenceChanged"))).toEqual(FIVE);
    const refusal = refuse("sequenceNotCommittable", { shortfalls: ["notSealed", "gap"] });
    expect(problemOf(refusal, traceId).body["shortfalls"]).toEqual(["notSealed", "gap"]);
  });

  test("names the scheme when a token is missing", () => {
    expect(problemOf(refuse("unauthorized"), traceId).headers["www-authenticate"]).toBe("Bearer");
  });

  test("is an error whose message is the sentence", () => {
    const refusal = refuse("malformedRequest", "queryString");
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal.message).toBe("This route accepts no query string.");
    expect(refusal.detail).toBe("queryString");
  });
});
