import { randomBytes } from "node:crypto";
import { open, readdir, readFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyLedger } from "@colophon/formats";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiClient } from "../../../bench/api-client.ts";
import { bodyFrame, SequenceClient } from "../../../bench/sequence-client.ts";
import { postmasterPid, ServiceProcess, serviceEnvironment } from "../../../bench/service-process.ts";
import { paintPicture } from "../../../tools/pictures.ts";

const ADMIN = "custody-test-admin-token";
const WIDTH = 600;
const HEIGHT = 400;
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

/** A PNG that carries the marker in its pixels, in every eighth row. */
function markedPixels(marker: Buffer, seed: number): Promise<Buffer> {
  const rgb = Buffer.from(paintPicture(seed, WIDTH, HEIGHT));
  for (let row = 0; row < HEIGHT; row += 8) marker.copy(rgb, (row * WIDTH + 100) * 3);
  return sharp(rgb, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .png()
    .toBuffer();
}

/** How often the marker stands in the writable memory of a process (Linux). */
async function inMemory(pid: number, marker: Buffer): Promise<number> {
  const maps = await readFile(`/proc/${pid}/maps`, "utf8");
  await using memory = await open(`/proc/${pid}/mem`, "r");
  let found = 0;
  for (const line of maps.split("\n")) {
    const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
    if (from === undefined || to === undefined) continue;
    found += await inRange(memory, Number.parseInt(from, 16), Number.parseInt(to, 16), marker);
  }
  return found;
}

async function inRange(
  memory: Awaited<ReturnType<typeof open>>,
  from: number,
  to: number,
  marker: Buffer,
): Promise<number> {
  const window = Buffer.alloc(16 << 20);
  let found = 0;
  for (let at = from; at < to; at += window.length - marker.length) {
    const length = Math.min(window.length, to - at);
    const read = await memory.read(window, 0, length, at).catch(() => null);
    if (read === null) break;
    const bytes = window.subarray(0, read.bytesRead);
    for (let i = bytes.indexOf(marker); i >= 0; i = bytes.indexOf(marker, i + 1)) found++;
  }
  return found;
}

/** The files below a folder that hold the marker. */
async function inFiles(folder: string, marker: Buffer): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const holding: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if ((await readFile(path)).includes(marker)) holding.push(path);
  }
  return holding;
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

    expect(await inMemory(service.pid, marker)).toBe(0);
    expect(await inMemory(postmasterPid(dataDir), marker)).toBe(0);
    expect(await inFiles(dataDir, marker)).toEqual([]);
    expect(Buffer.from(service.output, "latin1").includes(marker)).toBe(false);
  });

  test("as decoded are nowhere either", async () => {
    const marker = randomBytes(40);
    const image = await markedPixels(marker, 2);
    expect((await account.lookUp(image)).status).toBe(200);
    expect((await account.register(image)).status).toBe(200);
    expect(await inMemory(service.pid, marker)).toBe(0);
    expect(await inFiles(dataDir, marker)).toEqual([]);
  });

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

    expect(await inMemory(service.pid, marker)).toBe(0);
    expect(await inMemory(postmasterPid(dataDir), marker)).toBe(0);
    expect(await inFiles(dataDir, marker)).toEqual([]);
    expect(Buffer.from(service.output, "latin1").includes(marker)).toBe(false);
  });

  test("the search finds what is there", async () => {
    const marker = randomBytes(40);
    expect(await inMemory(process.pid, marker)).toBeGreaterThan(0);
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
