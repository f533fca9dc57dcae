import { randomBytes } from "node:crypto";
import { type FileHandle, readdir, readFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyLedger } from "@colophon/formats";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiClient } from "@colophon/testing/api-client.ts";
import { openIfThere } from "@colophon/testing/process/memory-search.ts";
import { processTree } from "@colophon/testing/process/process-tree.ts";
import { bodyFrame, SequenceClient } from "@colophon/testing/sequence-client.ts";
import { postmasterPid, ServiceProcess, serviceEnvironment } from "@colophon/testing/service-process.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { paintPicture } from "@colophon/testing/pictures.ts";

const ADMIN = "custody-test-admin-token";
const WIDTH = 240;
const HEIGHT = 160;
const COMMENT_MARKER = 0xfe;

let dataDir: string;
let service: ServiceProcess;
let admin: ApiClient;
let account: ApiClient;
let accountId: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "colophon-custody-"));
  service = await ServiceProcess.start(serviceEnvironment(dataDir, ADMIN));
  admin = new ApiClient(service.baseUrl, ADMIN);
  const created = await admin.call<{ accountId: string }>("POST", "/admin/accounts", {
    registrations: 100,
    lookups: 100,
    sequencesEnabled: true,
  });
  accountId = created.body.accountId;
  const { body } = await admin.call<{ token: string }>("POST", `/admin/accounts/${accountId}/tokens`, {});
  account = new ApiClient(service.baseUrl, body.token);
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

/** A JPEG whose comment carries the marker many times, so that every chunk of the upload holds it. */
async function markedJpeg(marker: Buffer, seed: number): Promise<Buffer> {
  const raw = { width: WIDTH, height: HEIGHT, channels: 3 } as const;
  const jpeg = await sharp(paintPicture(seed, WIDTH, HEIGHT), { raw })
    .jpeg()
    .toBuffer();
  const comment = Buffer.concat(Array.from({ length: 1000 }, () => marker));
  const length = Buffer.alloc(2);
  length.writeUInt16BE(comment.length + 2);
  return Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from([0xff, COMMENT_MARKER]),
    length,
    comment,
    jpeg.subarray(2),
  ]);
}

/** The service, its decoders and its database (Linux). */
function allProcesses(): readonly number[] {
  return [service.pid, postmasterPid(dataDir)].flatMap((root) => processTree(root).map(({ pid }) => pid));
}

/** Which of the byte strings stand in the writable memory of a process (Linux). */
async function inMemory(pid: number, patterns: readonly Buffer[]): Promise<ReadonlySet<Buffer>> {
  const maps = await readFile(`/proc/${pid}/maps`, "utf8").catch(() => "");
  const found = new Set<Buffer>();
  // Processes of the database come and go: it may end after any of these.
  await using memory = await openIfThere(`/proc/${pid}/mem`);
  await using pages = await openIfThere(`/proc/${pid}/pagemap`);
  if (maps === "" || memory === null || pages === null) return found;
  const search = new MemorySearch(patterns);
  for (const line of maps.split("\n")) {
    // What the database's processes share is searched in the first of them.
    const [, from, to, shared] = /^([0-9a-f]+)-([0-9a-f]+) rw-(.)/.exec(line) ?? [];
    if (from === undefined || to === undefined) continue;
    if (shared === "s" && pid !== postmasterPid(dataDir)) continue;
    await search.range({ memory, pages }, Number.parseInt(from, 16), Number.parseInt(to, 16), found);
  }
  return found;
}

const WINDOW = 16 << 20;
const PAGE = 4096;
const LONGEST = 128;
const WORD = 4;

/**
 * Looks for many byte strings in one pass over aligned words: wherever a string stands, an aligned word is one of its
 * first four words, taken at each byte.
 */
class MemorySearch {
  readonly #byWord = new Map<number, { readonly pattern: Buffer; readonly offset: number }[]>();
  readonly #filter = new Uint8Array(65_536);
  readonly #window = Buffer.from(new ArrayBuffer(WINDOW));

  constructor(patterns: readonly Buffer[]) {
    for (const pattern of patterns) {
      for (let offset = 0; offset < WORD; offset += 1) {
        const word = pattern.readUInt32LE(offset);
        this.#filter[hashOf(word)] = 1;
        this.#byWord.set(word, [...(this.#byWord.get(word) ?? []), { pattern, offset }]);
      }
    }
  }

  /**
   * @param pages says of every page whether it is there: one that was never written is not searched, for reading would
   * make it
   */
  async range(
    { memory, pages }: { readonly memory: FileHandle; readonly pages: FileHandle },
    from: number,
    to: number,
    found: Set<Buffer>,
  ): Promise<void> {
    for (let at = from; at < to; at += WINDOW - PAGE) {
      const count = Math.min(WINDOW, to - at) / PAGE;
      const states = Buffer.alloc(8 * count);
      await pages.read(states, 0, states.length, (8 * at) / PAGE);
      // The top bits: present, or swapped out.
      const isThere = (page: number): boolean => page < count && states[8 * page + 7]! >> 6 !== 0;
      for (let page = 0; page < count; ) {
        let end = page;
        while (isThere(end)) end += 1;
        const bytes = this.#window.subarray(0, (end - page) * PAGE);
        const read =
          bytes.length === 0
            ? null
            : await memory.read(bytes, 0, bytes.length, at + page * PAGE).catch(() => null);
        if (read !== null) this.search(bytes.subarray(0, read.bytesRead), found);
        page = Math.max(end, page + 1);
      }
    }
  }

  /** @param bytes in memory that is aligned to words */
  search(bytes: Buffer, found: Set<Buffer>): void {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / WORD));
    const filter = this.#filter;
    for (let i = 0; i < words.length; i += 1) {
      const word = words[i]!;
      if (filter[hashOf(word)] === 0) continue;
      for (const { pattern, offset } of this.#byWord.get(word) ?? []) {
        const at = WORD * i - offset;
        if (at >= 0 && bytes.subarray(at, at + pattern.length).equals(pattern)) found.add(pattern);
      }
    }
  }
}

function hashOf(word: number): number {
  return Math.imul(word, 0x9e3779b1) >>> 16;
}

/** What of these byte strings stands in any process, the data directory or the log; empty is what is hoped for. */
async function remains(patterns: ReadonlyMap<string, Buffer>): Promise<readonly string[]> {
  const names = new Map([...patterns].map(([name, pattern]) => [pattern, name]));
  const found: string[] = [];
  for (const pid of allProcesses()) {
    for (const pattern of await inMemory(pid, [...names.keys()])) {
      found.push(`${names.get(pattern)} in ${pid}`);
    }
  }
  for (const [pattern, file] of await inFiles(dataDir, [...names.keys()])) {
    found.push(`${names.get(pattern)} in ${file}`);
  }
  const log = Buffer.from(service.output, "latin1");
  for (const [pattern, name] of names) if (log.includes(pattern)) found.push(`${name} in the log`);
  return found;
}

/** Which of the byte strings stand in files below a folder, and in which. */
async function inFiles(folder: string, patterns: readonly Buffer[]): Promise<readonly [Buffer, string][]> {
  const search = new MemorySearch(patterns);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const holding: [Buffer, string][] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // The database removes files while it runs; one that is gone holds nothing.
    const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return Buffer.alloc(0);
      throw error;
    });
    const found = new Set<Buffer>();
    search.search(Buffer.from(Uint8Array.from(content).buffer), found);
    for (const pattern of found) holding.push([pattern, path]);
  }
  return holding;
}

const SIZE = { width: 240, height: 160 } as const;

/** Every coding of the accepted types, each of a picture of its own. */
async function everyCoding(seed: number): Promise<readonly { coding: string; bytes: Buffer }[]> {
  let next = seed;
  const picture = (): Sharp => {
    next += 1;
    return sharp(paintPicture(next, SIZE.width, SIZE.height), { raw: { ...SIZE, channels: 3 } });
  };
  const frames = Buffer.concat(
    [1, 2].map((n) => Buffer.from(paintPicture(seed - n, SIZE.width, SIZE.height))),
  );
  const film = sharp(frames, {
    raw: { width: SIZE.width, height: 2 * SIZE.height, channels: 3, pageHeight: SIZE.height },
  });
  const thumbnail = await picture().resize(80).jpeg().toBuffer();
  const coded: Readonly<Record<string, Promise<Buffer>>> = {
    "baseline JPEG": picture().jpeg().toBuffer(),
    "progressive JPEG": picture().jpeg({ progressive: true }).toBuffer(),
    "grey JPEG": picture().toColourspace("b-w").jpeg().toBuffer(),
    "grey progressive JPEG": picture().toColourspace("b-w").jpeg({ progressive: true }).toBuffer(),
    "CMYK JPEG": picture().toColourspace("cmyk").jpeg().toBuffer(),
    "turned JPEG with a profile": picture()
      .withIccProfile("p3")
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer(),
    "JPEG with a thumbnail": withThumbnail(await picture().jpeg().toBuffer(), thumbnail),
    "plain PNG": picture().png().toBuffer(),
    "interlaced PNG": picture().png({ progressive: true }).toBuffer(),
    "16-bit PNG": picture().toColourspace("rgb16").png().toBuffer(),
    "interlaced 16-bit PNG": picture().toColourspace("rgb16").png({ progressive: true }).toBuffer(),
    "grey PNG": picture().toColourspace("b-w").png({ progressive: true }).toBuffer(),
    "palette PNG": picture().png({ palette: true }).toBuffer(),
    "RGBA PNG": picture().ensureAlpha(0.7).png().toBuffer(),
    "lossy WebP": picture().webp().toBuffer(),
    "lossless WebP": picture().webp({ lossless: true }).toBuffer(),
    "WebP with alpha": picture().ensureAlpha(0.7).webp().toBuffer(),
    "animated WebP": film.webp({ delay: [100, 100] }).toBuffer(),
  };
  return Promise.all(Object.entries(coded).map(async ([coding, bytes]) => ({ coding, bytes: await bytes })));
}

/** A JPEG with an application segment that holds another one, as cameras write it. */
async function withThumbnail(jpeg: Buffer, thumbnail: Buffer): Promise<Buffer> {
  const exif = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), thumbnail]);
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(exif.length + 2, 4);
  return Buffer.concat([head, exif, jpeg.subarray(2)]);
}

/** Places from which rows are taken: of the picture's height. */
const ROWS = [0.2, 0.5, 0.8];
const RUN = 32;

/**
 * What shows an image wherever it stands: pieces of the file, and runs of 32 pixels in every form that a decoder has.
 */
async function traces(coding: string, bytes: Buffer): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (const share of ROWS) {
    const at = Math.floor(share * (bytes.length - 96));
    const piece = Buffer.from(bytes.subarray(at, at + 96));
    if (isTelling(piece)) found.set(`${coding}: bytes at ${at}`, piece);
  }
  const upright = sharp(bytes, { ignoreIcc: true, pages: 1, autoOrient: true });
  const asIs = sharp(bytes, { ignoreIcc: true, pages: 1 });
  const forms = {
    RGB: upright
      .clone()
      .flatten({ background: "#ffffff" })
      .toColourspace("srgb")
      .removeAlpha()
      .raw({ depth: "uchar" }),
    "first form": asIs.clone().raw({ depth: "uchar" }),
    "16 bits": asIs.clone().toColourspace("rgb16").raw({ depth: "ushort" }),
    RGBA: asIs.clone().toColourspace("srgb").ensureAlpha().raw({ depth: "uchar" }),
  };
  for (const [form, pipeline] of Object.entries(forms)) {
    const { data, info } = await pipeline.toBuffer({ resolveWithObject: true });
    for (const share of ROWS) {
      const row =
        (Math.floor(share * info.height) * info.width + Math.floor(info.width / 3)) *
        (data.length / info.width / info.height);
      const run = Buffer.from(
        data.subarray(row, row + Math.min(LONGEST, (RUN * data.length) / info.width / info.height)),
      );
      if (isTelling(run)) found.set(`${coding}: ${form} at ${share}`, run);
      if (form === "RGB" && isTelling(run)) found.set(`${coding}: luma at ${share}`, lumaOfRun(data, row));
    }
  }
  return found;
}

/** Whether a run could stand in memory only for the picture: enough different values. */
function isTelling(run: Buffer): boolean {
  return new Set(run).size > 8 && new Set(run.subarray(0, 2 * WORD)).size > 3;
}

function lumaOfRun(rgb: Buffer, from: number): Buffer {
  return Buffer.from(
    Array.from({ length: RUN }, (_, i) => {
      const [red = 0, green = 0, blue = 0] = rgb.subarray(from + 3 * i, from + 3 * i + 3);
      return (4899 * red + 9617 * green + 1868 * blue + 8192) >> 14;
    }),
  );
}

/** Posts an image to a registration slot and leaves it there. */
async function upload(image: Buffer): Promise<void> {
  const slots = new SlotClient(service.baseUrl, account.token);
  const { slotId } = (await slots.openSlot()).body;
  const { body } = await slots.upload(slotId, [{ bytes: image, type: mediaTypeOf(image) }]);
  expect(body.outcomes.map(({ accepted }) => accepted)).toEqual([true]);
  await slots.abandon(slotId);
}

function mediaTypeOf(image: Buffer): string {
  if (image[0] === 0xff) return "image/jpeg";
  return image[0] === 0x89 ? "image/png" : "image/webp";
}

async function admit(image: Buffer): Promise<void> {
  const sequences = new SequenceClient(service.baseUrl, account.token);
  const { body: sequence } = await sequences.openSequence();
  expect((await sequences.admit(sequence, [bodyFrame(sequence, 2, image)])).status).toBe(201);
}

async function register(image: Buffer): Promise<void> {
  expect((await account.register(image)).status).toBe(200);
}

describe("pixels", () => {
  test("of a posted file are nowhere once it is answered: not in memory, data directory or log", async () => {
    const marker = randomBytes(40);
    const image = await markedJpeg(marker, 1);
    expect((await account.lookUp(image)).status).toBe(200);
    expect((await account.register(image)).status).toBe(200);
    expect((await account.register(image)).status).toBe(409);
    const broken = Buffer.concat([image.subarray(0, image.length / 2)]);
    expect((await account.lookUp(broken)).status).toBe(422);
    expect(await remains(new Map([["the marker", marker]]))).toEqual([]);
  });

  test("of every coding are nowhere either, as posted and as decoded, whatever they were posted for", async () => {
    const ways = [register, upload, admit];
    const patterns = new Map<string, Buffer>();
    for (const [i, { coding, bytes }] of (await everyCoding(5000)).entries()) {
      expect([coding, (await account.lookUp(bytes)).status]).toEqual([coding, 200]);
      await ways[i % ways.length]?.(bytes);
      for (const [name, pattern] of await traces(coding, bytes)) patterns.set(name, pattern);
    }
    expect(patterns.size).toBeGreaterThan(200);
    expect(await remains(patterns)).toEqual([]);
  }, 600_000);

  test("of frames are nowhere either, admitted or refused", async () => {
    const marker = randomBytes(40);
    const image = await markedJpeg(marker, 3);
    const client = new SequenceClient(service.baseUrl, account.token);
    const { body: sequence } = await client.openSequence();
    const frame = bodyFrame(sequence, 2, image);
    expect((await client.admit(sequence, [frame, frame])).status).toBe(201);
    expect((await client.admit(sequence, [frame])).status).toBe(201);
    const enclosed = bodyFrame(sequence, 5, image, { prev: 1, next: 6 });
    expect((await client.admit(sequence, [enclosed, bodyFrame(sequence, 4, image)])).status).toBe(409);
    const broken = bodyFrame(sequence, 3, image.subarray(0, image.length / 2));
    expect((await client.admit(sequence, [broken])).status).toBe(422);
    const damaged = Buffer.from(frame).subarray(0, frame.length - 1);
    expect((await client.admit(sequence, [damaged])).status).toBe(400);
    expect(await remains(new Map([["the marker", marker]]))).toEqual([]);
  });

  test("are searched for in the service, its decoders and its database, and found where they are", async () => {
    const names = allProcesses();
    expect(processTree(service.pid).length).toBeGreaterThan(2);
    expect(names).toContain(postmasterPid(dataDir));
    const marker = randomBytes(40);
    expect([...(await inMemory(process.pid, [randomBytes(40), marker]))]).toContain(marker);
  });
});

/** The account's custody ledger as the operator exports it. */
async function rows(): Promise<Record<string, string | number | null>[]> {
  const response = await fetch(`${service.baseUrl}/admin/accounts/${accountId}/custody`, {
    headers: { authorization: `Bearer ${ADMIN}` },
  });
  return (await response.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, string | number | null>);
}

describe("the custody ledger", () => {
  test("pairs everything received with a verified deletion, in one unbroken chain", async () => {
    const ledger = await rows();
    expect(await verifyLedger(ledger)).toMatchObject({ intact: true, rows: ledger.length });
    const received = ledger.filter((row) => row["kind"] === "received");
    const deleted = ledger.filter((row) => row["kind"] === "deleted" && row["subject"] !== "packet");
    expect(received.length).toBeGreaterThan(4);
    expect(deleted.map((row) => [row["imageHash"], row["byteLength"]])).toEqual(
      received.map((row) => [row["imageHash"], row["byteLength"]]),
    );
    expect(new Set(deleted.map((row) => row["check"]))).toEqual(new Set(["zeroed"]));
  });
});
