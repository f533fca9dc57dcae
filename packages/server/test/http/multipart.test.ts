import { Refusal } from "@colophon/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readMultipart } from "../../src/http/body/multipart.ts";

interface Part {
  readonly name: string;
  readonly fileName: string | null;
  readonly contentType: string | null;
  readonly body: string;
}

const BOUNDARY = "--edge";

function encode(parts: readonly Part[], preamble = ""): Buffer {
  const chunks = parts.map(({ name, fileName, contentType, body }) => {
    const file = fileName === null ? "" : `; filename="${fileName}"`;
    const type = contentType === null ? "" : `Content-Type: ${contentType}\r\n`;
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n${body}\r\n`;
  });
  return Buffer.from(`${preamble}${chunks.join("")}--${BOUNDARY}--\r\n`, "latin1");
}

/** Cuts bytes at the given places, and spoils each chunk once the reader asks for the next one. */
async function* chunked(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  for (let i = 1; i < places.length; i += 1) {
    const chunk = Buffer.from(bytes.subarray(places[i - 1], places[i]));
    yield chunk;
    chunk.fill(0);
  }
}

async function read(bytes: Uint8Array, cuts: readonly number[] = []): Promise<Part[]> {
  const parts: Part[] = [];
  let body = "";
  for await (const event of readMultipart(chunked(bytes, cuts), BOUNDARY)) {
    if (event.type === "open") {
      parts.push({ ...event.headers, body: "" });
      body = "";
    } else if (event.type === "bytes") {
      body += Buffer.from(event.bytes).toString("latin1");
    } else {
      const part = parts.pop();
      if (part) parts.push({ ...part, body });
    }
  }
  return parts;
}

/** Bodies full of what delimiters are made of. */
const trickyBody = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\r",
        "\n",
        "\r\n",
        "-",
        "--",
        "\r\n--",
        `\r\n--${BOUNDARY.slice(0, 4)}`,
        "\r\r\n--",
        "\0",
      ),
      fc.string(),
    ),
  )
  .map((pieces) => Buffer.from(pieces.join(""), "latin1").toString("latin1"))
  .filter((body) => !`\r\n${body}\r\n`.includes(`\r\n--${BOUNDARY}`));

const anyPart = fc.record({
  name: fc.constantFrom("image", "manifest[a]", "x"),
  fileName: fc.constantFrom(null, "a.jpg", "with space.png", ""),
  contentType: fc.constantFrom(null, "image/jpeg", "application/json; charset=utf-8"),
  body: trickyBody,
});

describe("a multipart body", () => {
  test("reads the same however it is cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyPart, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(4000), { maxLength: 12 }),
        async (parts, cuts) => {
          expect(await read(encode(parts), cuts)).toEqual(parts);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("reads the same byte by byte, after a preamble", async () => {
    const parts = [{ name: "image", fileName: "a.jpg", contentType: "image/png", body: "\r\n--edg\r\n--" }];
    const bytes = encode(parts, "to be ignored\r\n");
    expect(
      await read(
        bytes,
        Array.from({ length: bytes.length }, (_, i) => i),
      ),
    ).toEqual(parts);
  });

  test("is read without delay where its headers are mostly blank", { timeout: 20_000 }, async () => {
    const headers = `Content-Disposition: form-data; name="a"\r\nX: a${" ".repeat(8_000)}b`;
    const parts = Array.from({ length: 240 }, () => `--${BOUNDARY}\r\n${headers}\r\n\r\n\r\n`);
    expect(await read(Buffer.from(`${parts.join("")}--${BOUNDARY}--`))).toHaveLength(240);
  });

  test("may be empty of parts", async () => {
    expect(await read(Buffer.from(`--${BOUNDARY}--`))).toEqual([]);
  });

  test("decodes escaped and extended filenames", async () => {
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="image"; filename=`;
    const tail = `\r\n\r\n\r\n--${BOUNDARY}--`;
    const fileName = async (coded: string): Promise<string | null | undefined> =>
      (await read(Buffer.from(`${head}${coded}${tail}`)))[0]?.fileName;
    expect(await fileName('"a\\"b.jpg"')).toBe('a"b.jpg');
    expect(await fileName('"a%22b.jpg"')).toBe('a"b.jpg');
    expect(await fileName("plain.jpg")).toBe("plain.jpg");
    expect(await fileName("\"x\"; filename*=UTF-8''na%C3%AFve.jpg")).toBe("naïve.jpg");
  });

  const sound = encode([{ name: "image", fileName: "a", contentType: "image/png", body: "abc" }]).toString(
    "latin1",
  );
  test.each([
    ["cut off in a body", sound.slice(0, sound.indexOf("abc") + 2)],
    ["cut off in the headers", sound.slice(0, 30)],
    ["without its last delimiter", sound.slice(0, sound.lastIndexOf("\r\n--"))],
    ["without any delimiter", "nothing of the kind"],
    ["empty", ""],
    ["with junk behind a delimiter", sound.replace(`${BOUNDARY}\r\n`, `${BOUNDARY}junk\r\n`)],
    ["whose part has no name", sound.replace('name="image"; ', "")],
    ["whose part is no form data", sound.replace("form-data", "attachment")],
    ["whose part has no disposition", sound.replace("Content-Disposition", "X-Disposition")],
    ["with a broken header line", sound.replace("Content-Type: ", "Content-Type ")],
    ["with a header twice", sound.replace("Content-Type", "Content-Disposition: form-data\r\nContent-Type")],
    ["with a NUL in a header", sound.replace("image/png", "image/png; a=\0")],
    ["with a bare line break in a header", sound.replace("image/png", "image/png\nX: y")],
    ["with endless headers", sound.replace("Content-Type", `X: ${"y".repeat(9000)}\r\nContent-Type`)],
  ])("is refused %s", async (_what, text) => {
    const refusal = await read(Buffer.from(text, "latin1"), [7, 21, 40]).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ code: "malformedRequest", detail: "malformedMultipart" });
  });

  test.each([
    ["parts", 7_000, 5_000, "a"],
    ["long names", 300, 250, "n".repeat(7_000)],
  ])(
    "is too large when it has too many %s, however little is in them",
    async (_what, many, few, fileName) => {
      const part = { name: "image", fileName, contentType: "image/png", body: "" };
      const bytes = encode(Array.from({ length: many }, () => part));
      expect(bytes.length).toBeLessThan(2 ** 25);
      const refusal = await read(bytes).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: "requestTooLarge" });
      expect(await read(encode(Array.from({ length: few }, () => part)))).toHaveLength(few);
    },
  );

  test("of arbitrary bytes is read or refused, never crashes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.array(fc.nat(400)), async (noise, cuts) => {
        const bytes = Buffer.concat([Buffer.from(sound, "latin1").subarray(0, noise[0]), noise]);
        const outcome = await read(bytes, cuts).catch((error: unknown) => error);
        expect(Array.isArray(outcome) || outcome instanceof Refusal).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
