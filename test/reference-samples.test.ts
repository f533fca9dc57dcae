import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createAccount } from "@colophon/testing/api-client.ts";
import { endFrame } from "@colophon/testing/sequence-client.ts";
import { ServiceProcess, serviceEnvironment } from "@colophon/testing/service-process.ts";
import { afterAll, beforeAll, expect, it } from "vitest";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SAMPLES = new URL("../packages/server/reference/samples.js", import.meta.url).href;
const ADMIN_TOKEN = "reference-samples-admin-token";

interface Operation {
  readonly operationId: string;
  readonly "x-codeSamples": readonly { readonly label: string; readonly source: string }[];
}

/** The samples of both documents: of each operation its line for a shell, and its TypeScript where it has one. */
async function samplesOf(label: string): Promise<{ name: string; source: string }[]> {
  const { withSamples }: { withSamples: (document: unknown) => { paths: object } } = await import(SAMPLES);
  const documents = await Promise.all(
    ["v1", "extensions"].map((name) =>
      readFile(join(ROOT, `packages/contract/openapi/${name}.json`), "utf8"),
    ),
  );
  return documents
    .flatMap((text) => Object.values(withSamples(JSON.parse(text)).paths))
    .flatMap((methods) => Object.values<Operation>(methods))
    .flatMap(({ operationId, "x-codeSamples": samples }) =>
      samples.filter((sample) => sample.label === label).map(({ source }) => ({ name: operationId, source })),
    );
}

let work: string;
let service: ServiceProcess;

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), "colophon-samples-"));
  service = await ServiceProcess.start({
    ...serviceEnvironment(join(work, "data"), ADMIN_TOKEN),
    COLOPHON_PUBLIC: "lookups",
  });
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(work, { recursive: true, force: true });
});

/** What a sample leaves to be filled in: names of nothing, but such as the routes take. */
const HASH = "ab".repeat(32);
const UUID = "6f2c1d7e-90ab-4c35-8e12-3d4f5a6b7c8d";
const FILLED_IN = {
  ACCOUNT_ID: UUID,
  FRAME_ID: "1",
  HASH,
  IMAGE_HASH: HASH,
  LOG_LEVEL: "0",
  LOG_TILE: "000.p/1",
  LOG_TIMESTAMP: "0.p/1",
  LOOKUP_SLOT_ID: UUID,
  MANIFEST_ID: "urn:c2pa:6f2c1d7e",
  ORIGINAL_IMAGE_HASH: HASH,
  REGISTRATION_ID: UUID,
  SEQUENCE_ID: UUID,
  SLOT_ID: UUID,
  TICKET: "ticket",
  TOKEN_ID: UUID,
};

/** A log that has no tile yet, and no authority that stamps it, has nothing there. */
const NOT_THERE: ReadonlySet<string> = new Set(["getLogTile", "getLogTimestamp"]);
const REFUSALS_OF_FORM = ["Not found", "Method not allowed", "Malformed request", "Unauthorized"];

it("every curl line of the API reference comes to its route in a form that the route takes", async () => {
  await copyFile(join(ROOT, "packages/server/samples/harbour.jpg"), join(work, "harbour.jpg"));
  await writeFile(join(work, "frame.px"), endFrame({ sequenceId: UUID, ticket: "" }, 1));
  const account = { registrations: 50, lookups: 50, sequencesEnabled: true };
  const { token } = await createAccount(service.baseUrl, ADMIN_TOKEN, account);
  const env = {
    ...process.env,
    ...FILLED_IN,
    URL: service.baseUrl,
    TOKEN: token,
    ADMIN_TOKEN,
  };
  const samples = await samplesOf("curl");
  expect(samples.length).toBeGreaterThan(60);
  const wrong: string[] = [];
  for (const { name, source } of samples) {
    const { stdout } = await run("bash", ["--noprofile", "--norc", "-euc", `${source} -sS`], {
      cwd: work,
      env,
    });
    const title = /^\{"type":"urn:colophon:problem:[^"]*","title":"([^"]*)"/.exec(stdout)?.[1];
    if (REFUSALS_OF_FORM.includes(title ?? "") && !NOT_THERE.has(name)) {
      wrong.push(`${name}: ${stdout}\n${source}`);
    }
  }
  expect(wrong).toEqual([]);
});

it("every TypeScript sample of the API reference has the client's types", async () => {
  const samples = await samplesOf("TypeScript");
  expect(samples.length).toBeGreaterThan(50);
  const functions = samples.map(({ name, source }) => `export async function ${name}() {\n${source}\n}`);
  const program = `
    import { ColophonClient, OperatorClient, type SequenceKey } from "@colophon/client";
    declare const client: ColophonClient;
    declare const operator: OperatorClient;
    declare const image: Blob;
    declare const sequence: SequenceKey;
    declare const frames: Parameters<typeof client.sequences.admit>[1];
    declare const frameId: number;
    declare const expiresAt: Parameters<typeof operator.setTokenExpiry>[2];
    declare const registrationId: string, slotId: string, lookupSlotId: string, imageHash: string;
    declare const originalImageHash: string, reason: string, accountId: string, tokenId: string;
    declare const hashes: string[], originalImageHashes: string[];
    ${functions.join("\n")}
  `;
  await writeFile(join(work, "samples.ts"), program);
  const options = {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    module: "nodenext",
    target: "es2024",
    lib: ["es2024", "esnext.disposable", "dom", "dom.iterable", "dom.asynciterable"],
    types: [],
    paths: { "@colophon/*": [join(ROOT, "packages/*/src/index.ts")] },
  };
  await writeFile(join(work, "package.json"), '{ "type": "module" }');
  await writeFile(
    join(work, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, files: ["samples.ts"] }),
  );
  const compiled = run(join(ROOT, "node_modules/.bin/tsc"), ["-p", work]).catch(({ stdout }) => ({ stdout }));
  await expect(compiled).resolves.toMatchObject({ stdout: "" });
});
