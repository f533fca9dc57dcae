import { assert, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ENGINE_MESSAGE_LIMIT,
  ENTRY_FAILURES,
  ERRATA_REASONS,
  engineRefusalSentence,
  IMAGE_REJECTIONS,
  manifestSentence,
  refuseManifest,
  UNREADABLE_PACKET,
} from "../src/index.ts";

describe("the contract's sentences", () => {
  test("for a manifest", () => {
    expect(
      (["noKind", "badKind", "unsupportedContentType", "tooLarge", "formMismatch", "tooMany"] as const).map(
        (fault) => manifestSentence(fault, 16),
      ),
    ).toEqual([
      "Manifest part states no kind; name it manifest[<kind>].",
      "Manifest kind must be 1 to 64 characters of A-Z, a-z, 0-9, '.', '_' or '-'.",
      "Manifest part declares an unsupported content type; it must be application/json, application/jumbf or application/c2pa.",
      "Manifest exceeds the size cap.",
      "Manifest body does not match its stated form.",
      "An image carries at most 16 manifests.",
    ]);
  });

  test("for a manifest that refuses the whole request", () => {
    expect(refuseManifest("tooLarge", 16).code).toBe("manifestTooLarge");
    expect(refuseManifest("badKind", 16).code).toBe("invalidManifest");
  });

  test("for an image of an upload", () => {
    expect(IMAGE_REJECTIONS).toEqual({
      unsupportedContentType: "Unsupported image content type.",
      imageTooLarge: "Image exceeds the per-image size cap.",
      requestTooLarge: "Request exceeds the per-request size cap.",
      registrationGrant: "The account's remaining registration grant does not cover this image.",
      lookupGrant: "The account's remaining lookup grant does not cover this image.",
      notChecked: "This image could not be checked against registered originals.",
      notCheckedYet:
        "This image could not be checked against registered originals yet. Nothing was registered, answered or charged; send it again.",
      alreadyRegistered: "This image is already registered.",
      derivative: "This image is a derivative of an image that is already registered.",
      errataFull: "This slot already remembers the maximum number of images it will not register.",
      queriesFull: "This lookup slot already holds the maximum number of query images.",
      queryNotStored: "This query image could not be stored for look-up.",
      slotNotOpen: "Slot is no longer open.",
    });
  });

  test("for an entry that failed or will not register", () => {
    expect(ENTRY_FAILURES.noExtraction).toBe("No stored extraction was found for this entry.");
    expect(ENTRY_FAILURES.noQueryImage).toBe("No pooled query image was found for this entry.");
    expect(engineRefusalSentence(UNREADABLE_PACKET)).toBe(
      "The engine refused this item: StoredRegistrationPacketUnreadable. The stored registration packet could not be read.",
    );
    expect(ERRATA_REASONS).toEqual({
      alreadyRegistered: "This image is already registered.",
      derivative: "This image is a derivative of an image that is already registered.",
    });
  });
});

describe("an engine's message", () => {
  test("is left out when there is nothing in it", () => {
    expect(engineRefusalSentence({ name: "Unreadable", message: "" })).toBe(
      "The engine refused this item: Unreadable.",
    );
    expect(engineRefusalSentence({ name: "Unreadable", message: "\u0000\r\n\t " })).toBe(
      "The engine refused this item: Unreadable.",
    );
  });

  test("is bounded, on one line and well formed whatever it was", () => {
    const message = string({ unit: "binary", maxLength: 600 });
    assert(
      property(message, (text) => {
        const sentence = engineRefusalSentence({ name: "Unreadable", message: text });
        const prefix = "The engine refused this item: Unreadable. ";
        expect(sentence.length).toBeLessThanOrEqual(prefix.length + ENGINE_MESSAGE_LIMIT);
        expect(sentence).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(sentence.isWellFormed()).toBe(true);
      }),
    );
  });

  test("never ends in half a character", () => {
    const message = `${"a".repeat(ENGINE_MESSAGE_LIMIT - 1)}😀`;
    expect(engineRefusalSentence({ name: "X", message }).isWellFormed()).toBe(true);
  });
});
