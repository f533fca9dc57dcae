import { blake3 } from "@noble/hashes/blake3.js";
import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { processTree } from "@colophon/testing/process/process-tree.ts";
import { paintedPicture, seededRandom } from "@colophon/testing/pictures.ts";
import { decodePacket } from "../../src/packet/registration-packet.ts";
import {
  type Examination,
  type Glance,
  makeRankingPart,
  openImageEngine,
  type PacketCandidate,
  type RankingCandidate,
} from "../../src/index.ts";

const packetKey = new Uint8Array(32).map((_, i) => i);
const settings = {
  places: 2,
  queueLimit: 50,
  maxImagePixels: 4_000_000,
  acceptedTypes: ["image/jpeg", "image/png", "image/webp"],
  packetKey,
};
const engine = await openImageEngine(settings);
afterAll(() => engine[Symbol.asyncDispose]());

const [width, height] = [480, 360];

const SHARE = "somebody";

async function examine(bytes: Uint8Array, purpose: "registration" | "lookup"): Promise<Examination> {
  const result = await engine.examine([bytes], purpose, SHARE);
  if (result.outcome !== "examined") throw new Error(`The image was not examined: ${result.outcome}.`);
  return result;
}

const scenes = await Promise.all([41, 42, 43].map((seed) => paintedPicture(seed, width, height)));

async function registered(bytes: Uint8Array, id: number): Promise<PacketCandidate & RankingCandidate> {
  using examination = await examine(bytes, "registration");
  const { packet, words } = examination.original!;
  return { id, packet, part: makeRankingPart(packet, words)! };
}

const candidates = await Promise.all(scenes.map(registered));

const ofPoints = ({ words }: { readonly words: Int32Array }): Int32Array => words.filter((word) => word >= 0);

describe("examining", () => {
  it("gives size, hashes, words and a packet under the content's name", async () => {
    using examination = await examine(scenes[0]!, "registration");
    const { original, contentHash, queryWords } = examination;
    expect([examination.width, examination.height]).toEqual([width, height]);
    expect(contentHash).toEqual(blake3(scenes[0]!));
    expect(queryWords.length).toBeGreaterThan(500);
    expect(queryWords.length).toBeLessThanOrEqual(1200);
    expect(new Set(queryWords).size).toBe(queryWords.length);
    const asked = new Set(queryWords);
    expect(original!.words.filter((word) => asked.has(word)).length).toBeGreaterThan(50);
    const { packetId, features } = decodePacket(original!.packet);
    expect(packetId).toEqual(contentHash.slice(0, 16));
    expect(features.count).toBeGreaterThan(300);
  });

  it("makes the same packet of the same bytes on any worker, and another under another key", async () => {
    const runs = await Promise.all(Array.from({ length: 6 }, () => examine(scenes[1]!, "registration")));
    expect(new Set(runs.map(({ original }) => original!.packet.join())).size).toBe(1);
    expect(new Set(runs.map(({ original }) => original!.words.join())).size).toBe(1);
    await using other = await openImageEngine({ ...settings, places: 1, packetKey: new Uint8Array(32) });
    const result = await other.examine([scenes[1]!], "registration", SHARE);
    if (result.outcome !== "examined") throw new Error("The image was not examined.");
    expect(ofPoints(result.original!)).toEqual(ofPoints(runs[0]!.original!));
    expect(result.original!.words).not.toEqual(runs[0]!.original!.words);
    expect(result).not.toMatchObject({ original: { packet: runs[0]!.original!.packet } });
  });

  it("makes no packet for a look-up, but the same words", async () => {
    using lookup = await examine(scenes[2]!, "lookup");
    using registration = await examine(scenes[2]!, "registration");
    expect(lookup.original).toBe(null);
    expect(lookup.queryWords).toEqual(registration.queryWords);
  });

  it("gives equal pixel hashes to equal pixels only", async () => {
    const png = await sharp(scenes[0]).png().toBuffer();
    const webp = await sharp(scenes[0]).webp({ lossless: true }).toBuffer();
    const worse = await sharp(scenes[0]).jpeg({ quality: 80 }).toBuffer();
    const hashes = await Promise.all(
      [scenes[0]!, png, webp, worse].map(async (bytes) => {
        using examination = await examine(bytes, "lookup");
        return examination.pixelHash.join();
      }),
    );
    expect(hashes.map((hash) => hash === hashes[0])).toEqual([true, true, true, false]);
  });

  it("declines with a fixed sentence and nothing of the image", async () => {
    const marked = Buffer.concat([scenes[0]!.subarray(0, 3000), Buffer.from("SECRET-MARKER")]);
    expect(await engine.examine([marked], "lookup", SHARE)).toEqual({
      outcome: "declined",
      name: "ImageUndecodable",
      message: "The bytes are not an image that an accepted decoder reads.",
    });
    const large = await sharp({ create: { width: 2001, height: 2000, channels: 3, background: "#456" } })
      .png()
      .toBuffer();
    expect(await engine.examine([large], "lookup", SHARE)).toMatchObject({ name: "ImageTooManyPixels" });
  });

  it("answers damaged files one way or the other, and lives", async () => {
    const random = seededRandom(5);
    const files = [
      scenes[0]!,
      await paintedPicture(44, 90, 70, "png"),
      await paintedPicture(45, 90, 70, "webp"),
    ];
    const damaged = Array.from({ length: 45 }, (_, i) => {
      const bytes = Uint8Array.from(files[i % 3]!);
      for (let k = 0; k < 6; k += 1) {
        bytes[Math.floor(random() ** 2 * bytes.length)] = Math.floor(256 * random());
      }
      return bytes;
    });
    for (const bytes of damaged) {
      const result = await engine.examine([bytes], "lookup", SHARE);
      expect(["examined", "ImageUndecodable", "ImageTooManyPixels"]).toContain(
        result.outcome === "declined" ? result.name : result.outcome,
      );
      if (result.outcome === "examined") result[Symbol.dispose]();
    }
  });

  it("examines even, tiny and thin pictures", async () => {
    for (const [w, h] of [
      [1, 1],
      [1, 500],
      [300, 200],
    ] as const) {
      const png = await sharp({ create: { width: w, height: h, channels: 3, background: "#777" } })
        .png()
        .toBuffer();
      using examination = await examine(png, "registration");
      expect([examination.width, examination.height]).toEqual([w, h]);
      expect(decodePacket(examination.original!.packet).features.count).toBe(0);
      expect(await engine.match(examination, candidates)).toEqual({
        outcome: "matched",
        matches: [],
        unreadable: [],
      });
    }
  });

  it("zeroes what it knows of the picture when disposed, once or twice", async () => {
    const examination = await examine(scenes[0]!, "lookup");
    examination[Symbol.dispose]();
    examination[Symbol.dispose]();
    expect(examination.queryWords.every((word) => word === 0)).toBe(true);
    await expect(engine.match(examination, [])).rejects.toThrow(TypeError);
  });
});

async function glance(bytes: Uint8Array): Promise<Glance> {
  const result = await engine.glance([bytes], SHARE);
  if (result.outcome !== "glanced") throw new Error(`The image was not glanced at: ${result.outcome}.`);
  return result;
}

describe("glancing", () => {
  it("tells a plain copy of an original from other pictures, by whole keys and by its blocks", async () => {
    const copy = await sharp(scenes[0]).resize(432, 324).jpeg({ quality: 60 }).toBuffer();
    using filed = await examine(scenes[0]!, "registration");
    using own = await glance(copy);
    expect([own.width, own.height]).toEqual([432, 324]);
    const asked = new Set(own.wholeKeys);
    expect(filed.original!.words.some((word) => asked.has(word))).toBe(true);
    expect(await engine.matchCopy(own, candidates[0]!)).toMatchObject({
      outcome: "compared",
      match: { id: 0, place: { isWhole: true, isInverted: false, lens: null } },
    });
    expect(await engine.matchCopy(own, candidates[1]!)).toEqual({ outcome: "compared", match: null });
    const cut = await sharp(scenes[0])
      .extract({ left: 20, top: 20, width: 440, height: 320 })
      .jpeg()
      .toBuffer();
    using other = await glance(cut);
    expect(await engine.matchCopy(other, candidates[0]!)).toEqual({ outcome: "compared", match: null });
    expect(await engine.matchCopy(other, { id: 7, packet: new Uint8Array(0) })).toMatchObject({
      match: null,
    });
  });

  it("says whether originals share points, or cannot be read", async () => {
    using own = await glance(scenes[0]!);
    using part = await examine(
      await sharp(scenes[0]).extract({ left: 90, top: 60, width: 300, height: 230 }).jpeg().toBuffer(),
      "registration",
    );
    const [original, ...others] = candidates;
    const apart = async (rest: readonly PacketCandidate[]): Promise<unknown> =>
      engine.standsApart(own, original!, rest);
    expect(await apart([])).toMatchObject({ isApart: true });
    expect(await apart(others)).toMatchObject({ isApart: true });
    expect(await apart([...others, { id: 8, packet: part.original!.packet }])).toMatchObject({
      isApart: false,
    });
    expect(await apart([{ id: 9, packet: new Uint8Array(0) }])).toMatchObject({ isApart: false });
  });

  it("goes on to the examination that the picture gets without a glance, once", async () => {
    using own = await glance(scenes[1]!);
    const examined = await engine.examineGlanced(own);
    if (examined.outcome !== "examined") throw new Error("The glanced picture was not examined.");
    using examination = examined;
    using direct = await examine(scenes[1]!, "lookup");
    expect(examination.queryWords).toEqual(direct.queryWords);
    await expect(engine.examineGlanced(own)).rejects.toThrow(TypeError);
    own[Symbol.dispose]();
    expect(own.wholeKeys.every((key) => key === 0)).toBe(true);
    await expect(engine.matchCopy(own, candidates[0]!)).rejects.toThrow(TypeError);
  });
});

describe("matching", () => {
  it("finds the original of a re-encoded crop and of nothing else", async () => {
    for (const id of [0, 1, 2]) {
      const crop = await sharp(scenes[id])
        .extract({ left: 90, top: 60, width: 260, height: 210 })
        .jpeg({ quality: 50 })
        .toBuffer();
      using examination = await examine(crop, "lookup");
      expect(await engine.match(examination, candidates)).toEqual({
        outcome: "matched",
        matches: [expect.objectContaining({ id })],
        unreadable: [],
      });
    }
    using stranger = await examine(await paintedPicture(99, width, height), "lookup");
    expect(await engine.match(stranger, candidates)).toEqual({
      outcome: "matched",
      matches: [],
      unreadable: [],
    });
  });

  it("shortlists the original among many by its ranking part, and whatever has none that can be read", async () => {
    const decoys = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => registered(await paintedPicture(300 + n, 120, 90), 100 + n)),
    );
    const unreadable = { id: 7, part: decoys[0]!.part.slice(1) };
    const crop = await sharp(scenes[1]).extract({ left: 90, top: 60, width: 260, height: 210 }).toBuffer();
    using examination = await examine(crop, "lookup");
    const answer = await engine.shortlist(examination, [...decoys, unreadable, ...candidates]);
    if (answer.outcome !== "shortlisted") throw new Error(answer.outcome);
    expect(answer.ids[0]).toBe(1);
    expect(answer.ids).toContain(7);
    expect(answer.ids.length).toBeLessThan(40);
    expect(await engine.match(examination, candidates)).toMatchObject({ matches: [{ id: 1 }] });
  });

  it("passes over packets that cannot be read, and names them", async () => {
    const broken = [
      { id: 7, packet: new Uint8Array(0) },
      { id: 8, packet: candidates[0]!.packet.slice(1) },
    ];
    using examination = await examine(scenes[1]!, "lookup");
    expect(await engine.match(examination, [...broken, ...candidates])).toEqual({
      outcome: "matched",
      matches: [expect.objectContaining({ id: 1 })],
      unreadable: [7, 8],
    });
  });
});

it("never declines a picture because the machine is slow", async () => {
  await using starved = await openImageEngine({ ...settings, places: 1, jobSeconds: 0.001 });
  expect(await starved.glance([scenes[0]!], SHARE)).toMatchObject({ outcome: "busy" });
  expect(await starved.examine([scenes[0]!], "lookup", SHARE)).toMatchObject({ outcome: "busy" });
  expect(await starved.examine([scenes[0]!], "registration", SHARE)).toMatchObject({ outcome: "busy" });
});

it("answers busy past its queue and recovers", async () => {
  await using small = await openImageEngine({ ...settings, places: 1, queueLimit: 1 });
  const results = await Promise.all(
    Array.from({ length: 5 }, () => small.examine([scenes[0]!], "lookup", SHARE)),
  );
  expect(results.map(({ outcome }) => outcome)).toEqual(["examined", "examined", "busy", "busy", "busy"]);
  const busy = results.find((result) => result.outcome === "busy");
  expect(busy?.retryAfterSeconds).toBeGreaterThanOrEqual(1);
  expect((await small.examine([scenes[0]!], "lookup", SHARE)).outcome).toBe("examined");
});

/** Ids of the decoder processes of every engine here. */
function decoders(): readonly number[] {
  return processTree(process.pid).flatMap(({ pid, name }) => (name.startsWith("colophon-deco") ? [pid] : []));
}

it("examines images whose decoder is killed under them", async () => {
  await using other = await openImageEngine(settings);
  const [pid = 0] = decoders();
  for (const doomed of decoders()) process.kill(doomed, "SIGSTOP");
  const examining = other.examine([scenes[0]!], "lookup", SHARE);
  for (const doomed of decoders()) process.kill(doomed, "SIGKILL");
  expect((await examining).outcome).toBe("examined");
  expect(decoders()).not.toContain(pid);
  expect((await engine.examine([scenes[0]!], "lookup", SHARE)).outcome).toBe("examined");
});

/** Ids of this process and of all that it started. */
function running(): readonly number[] {
  return processTree(process.pid).map(({ pid }) => pid);
}

it("leaves no decoder behind where one of them does not start", async () => {
  const before = running();
  const opening = openImageEngine(settings);
  const [first = 0] = running().filter((pid) => !before.includes(pid));
  process.kill(first, "SIGKILL");
  await expect(opening).rejects.toThrow("A decoder process did not start.");
  expect(running()).toEqual(before);
});

it("refuses a packet key of the wrong length", async () => {
  await expect(openImageEngine({ ...settings, packetKey: new Uint8Array(16) })).rejects.toThrow(RangeError);
});
