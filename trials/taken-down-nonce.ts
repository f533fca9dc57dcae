/**
 * Where the nonce of a record that was taken down still stands: its 32 bytes, raw, in hexadecimal and in base64, are
 * searched for in every file of the data directory, in a backup, and in the writable memory of the service, its
 * decoders and its database, after each step of what comes after a take-down.
 *
 *     node trials/taken-down-nonce.ts [--registrations 4] [--seed 1]        # as root or as the service's user, Linux
 */
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseLogProof } from "@colophon/log";
import { ApiClient } from "@colophon/testing/api-client.ts";
import { readCommandLine } from "@colophon/testing/command-line.ts";
import { timesInMemory } from "@colophon/testing/process/memory-search.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import { processTree } from "@colophon/testing/process/process-tree.ts";
import { postmasterPid } from "@colophon/testing/service-process.ts";
import { Client } from "pg";
import { TrialService } from "./support/trial-service.ts";

const COLOPHON = fileURLToPath(new URL("../packages/cli/bin/colophon.js", import.meta.url));
const WIDTH = 240;
const HEIGHT = 160;
const PROOF_MS = 10_000;

const { values } = readCommandLine({
  options: {
    registrations: { type: "string", default: "4" },
    seed: { type: "string", default: "1" },
  },
});
await using service = await TrialService.start();
const { token } = await service.account();
const client = new ApiClient(service.baseUrl, token);
let pictures = Number(values.seed) * 1_000_000;

for (let n = 0; n < 4; n += 1) await register();
const { id, hash } = await register();
const nonce = await nonceOf(hash);
const forms = [nonce, Buffer.from(nonce.toString("hex")), Buffer.from(nonce.toString("base64"))];
await show("its publication");

await client.takeDown(id);
await show("its take-down");
const backup = join(service.dataDir, "after.backup");
await promisify(execFile)(process.execPath, [COLOPHON, "backup", backup, "--data-dir", service.dataDir]);
await show("a backup");
await forgotten();
await show("a sweep has written the table anew");
for (let n = 0; n < Number(values.registrations); n += 1) await register();
await show(`${values.registrations} more registrations`);

async function register(): Promise<{ id: string; hash: string }> {
  pictures += 1;
  const image = await paintedPicture(pictures, WIDTH, HEIGHT);
  const { status, body } = await client.register(image);
  if (status !== 200) throw new Error(`A registration was answered ${status}.`);
  return { id: body.id, hash: body.originalImageHash };
}

async function nonceOf(originalImageHash: string): Promise<Buffer> {
  for (const deadline = performance.now() + PROOF_MS; performance.now() < deadline; await sleep(200)) {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${service.baseUrl}/log/proofs/${originalImageHash}`, { headers });
    if (answer.status !== 200) continue;
    const { extra } = parseLogProof(await answer.text());
    if (extra) return Buffer.from(extra);
  }
  throw new Error("There was no proof.");
}

/** Waits for the sweep after the take-down. */
async function forgotten(): Promise<void> {
  const database = new Client(service.connection);
  await database.connect();
  const asked =
    "select clean_before > (select max(taken_down_at) from original) as done from log_nonce_rewrite";
  while ((await database.query(asked)).rows[0]?.done !== true) await sleep(500);
  await database.end();
}

async function show(step: string): Promise<void> {
  const held = [...(await files()), ...(await processes())];
  process.stdout.write(`after ${step}: ${held.length === 0 ? "nowhere" : held.join(", ")}\n`);
}

async function files(): Promise<readonly string[]> {
  const entries = await readdir(service.dataDir, { recursive: true, withFileTypes: true });
  const holding: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // The database removes files while it runs.
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    if (forms.some((form) => bytes.includes(form))) holding.push(path.slice(service.dataDir.length + 1));
  }
  return holding;
}

async function processes(): Promise<readonly string[]> {
  const roots = [service.process.pid, postmasterPid(service.dataDir)];
  const holding = new Map<string, number>();
  for (const { pid, name } of roots.flatMap((root) => processTree(root))) {
    // What the database's processes share is searched once.
    const found = await timesInMemory(pid, forms, roots.includes(pid));
    const times = found.reduce((sum, count) => sum + count, 0);
    if (times > 0) holding.set(name, Math.max(times, holding.get(name) ?? 0));
  }
  return [...holding].map(([name, times]) => `memory of ${name} (${times})`);
}
