/**
 * Gives the one image of an OCI layout a health check, where Docker keeps it in an image's configuration: the OCI's own
 * format knows none.
 *
 *     node tools/add-health-check.ts LAYOUT
 */
import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readCommandLine, refuseCommandLine } from "@colophon/testing/command-line.ts";

const SECOND = 1_000_000_000;
const HEALTH_CHECK = {
  Test: [
    "CMD",
    "node",
    "-e",
    "fetch('http://127.0.0.1:' + (process.env.COLOPHON_PORT || 8400) + '/ready').then(({ ok }) => process.exit(ok ? 0 : 1))",
  ],
  Interval: 10 * SECOND,
  Timeout: 5 * SECOND,
  StartPeriod: 60 * SECOND,
  Retries: 3,
};

interface Descriptor {
  digest: string;
  size: number;
}

const [layout = refuseCommandLine("LAYOUT is required")] = readCommandLine({
  allowPositionals: true,
}).positionals;

const fileOf = ({ digest }: Descriptor): string => join(layout, "blobs", digest.replace(":", "/"));

/** Puts a changed blob in the place of the one that a descriptor names. */
async function replace(descriptor: Descriptor, content: unknown): Promise<void> {
  const text = JSON.stringify(content);
  await rm(fileOf(descriptor));
  descriptor.digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
  descriptor.size = Buffer.byteLength(text);
  await writeFile(fileOf(descriptor), text);
}

const index = JSON.parse(await readFile(join(layout, "index.json"), "utf8")) as { manifests: [Descriptor] };
const manifest = JSON.parse(await readFile(fileOf(index.manifests[0]), "utf8")) as { config: Descriptor };
const image = JSON.parse(await readFile(fileOf(manifest.config), "utf8")) as { config: object };
Object.assign(image.config, { Healthcheck: HEALTH_CHECK });
await replace(manifest.config, image);
await replace(index.manifests[0], manifest);
await writeFile(join(layout, "index.json"), JSON.stringify(index));
