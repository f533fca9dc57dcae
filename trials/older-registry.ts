/**
 * Has an older build make a registry with something of everything in it, and writes it to a file with what it answered:
 * what the test of upgrades starts with this build. The database is named by its URL, is empty, and no newer than
 * `pg_dump`, so that any later PostgreSQL reads the file.
 *
 *     node trials/older-registry.ts --build CHECKOUT --database URL --out FILE.json.gz [--seed 1] [--pictures 3]
 */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";
import { serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";
import { answersOf, furnish } from "./support/furnished-registry.ts";
import type { OlderRegistry } from "./support/restored-older-registry.ts";

const { build, database, out, seed, pictures } = readCommandLine({
  options: {
    build: { type: "string" },
    database: { type: "string" },
    out: { type: "string" },
    seed: { type: "string", default: "1" },
    pictures: { type: "string", default: "3" },
  },
}).values;
if (build === undefined || database === undefined || out === undefined) {
  refuseCommandLine("--build, --database and --out are needed.");
}
const dataDir = await mkdtemp(join(tmpdir(), "colophon-older-"));
const adminToken = randomBytes(24).toString("base64url");
const keyEncryptionKey = randomBytes(32).toString("base64");
const service = await ServiceProcess.start(
  {
    ...serviceEnvironment(dataDir, adminToken),
    COLOPHON_DATABASE_URL: database,
    COLOPHON_KEY_ENCRYPTION_KEY: keyEncryptionKey,
  },
  join(build, "packages/server/src/main.ts"),
);
const registry = await furnish(service.baseUrl, adminToken, {
  seed: Number(seed),
  pictures: Number(pictures),
});
const answers = await answersOf(service.baseUrl, adminToken, registry);
await service.end("SIGTERM");
await rm(dataDir, { recursive: true, force: true });
const dumped = String(
  execFileSync("pg_dump", ["--inserts", "--no-owner", "--no-privileges", database], { maxBuffer: 2 ** 30 }),
);
// Lines for psql alone.
const sql = dumped.replaceAll(/^\\.*\n/gm, "");
const commit = String(execFileSync("git", ["-C", build, "rev-parse", "--short", "HEAD"])).trim();
const older: OlderRegistry = { commit, adminToken, keyEncryptionKey, registry, answers, sql };
await writeFile(out, gzipSync(JSON.stringify(older), { level: 9 }));
