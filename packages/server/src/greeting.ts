import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { blake3Hex } from "@colophon/formats";
import type { Config } from "./config/environment.ts";
import type { Service } from "./compose.ts";
import { type Origin, originLine } from "./transparency/origin.ts";
import { createFirstAccount } from "./store/accounts/accounts.ts";
import { mintToken } from "./store/accounts/tokens.ts";

const SAMPLES = new URL("../samples/", import.meta.url);
const SAMPLE = "harbour.jpg";
const SAMPLE_CROP = "harbour-crop.jpg";
/**
 * The command as a shell finds it. Only a checkout has npx: where it is installed, npx may fetch another program of
 * that name.
 */
const COMMAND = import.meta.url.endsWith(".ts") ? "npx colophon" : "colophon";
const DEMO_GRANT = 10_000;

interface Setting {
  readonly config: Config;
  readonly embeddedDatabase: boolean;
  /** Whether the operator's token is kept in the data directory, where the commands find it. */
  readonly keepsAdminToken: boolean;
}

/**
 * Says where the service listens, and how to mint a token. On a terminal, and while an embedded database has no
 * account, it also makes a demo account and prints its token, this once, with three commands that show the main job.
 * What is no terminal may be kept: no token is ever written there.
 */
export async function greet(
  service: Service,
  setting: Setting,
  out: NodeJS.WritableStream & { readonly isTTY?: boolean },
): Promise<void> {
  const { listeningUrl, baseUrl } = service;
  const publicly = baseUrl === listeningUrl ? "" : ` for ${baseUrl}`;
  out.write(`Colophon listens at ${listeningUrl}${publicly}\n`);
  out.write(`${pages(setting.config, service)}\n`);
  if (service.logOrigin !== null) out.write(`${logLine(service.logOrigin)}\n`);
  const isDemo = setting.embeddedDatabase && out.isTTY === true;
  const token = isDemo ? await demoToken(service, setting.config) : null;
  out.write(token === null ? howToMint(listeningUrl, setting) : await firstSteps(listeningUrl, token));
}

/** The operator's commands, as they reach this service from its machine. */
function howToMint(url: string, { config: { dataDir }, keepsAdminToken }: Setting): string {
  const from = keepsAdminToken ? ` --data-dir '${dataDir.replaceAll("'", `'\\''`)}'` : "";
  const where = `--url ${url}${from}`;
  return `
An account and a token for it are made on this machine with${keepsAdminToken ? "" : ", where COLOPHON_ADMIN_TOKEN holds this service's token"}:

  ${COMMAND} account create --name NAME --registrations 1000 --lookups 1000 ${where}

  ${COMMAND} token mint ACCOUNT_ID ${where}
`;
}

function pages(config: Config, { baseUrl, metricsUrl }: Service): string {
  return [
    ...(config.console ? [`Console: ${baseUrl}/console/`] : []),
    `API reference: ${baseUrl}/docs/`,
    ...(metricsUrl === null ? [] : [`Metrics: ${metricsUrl}`]),
  ].join("  ");
}

/** The log's identity; one that had to begin again names the log before it. */
function logLine(origin: Origin): string {
  const { generation } = origin;
  const after =
    generation === 1 ? "" : `, begun after ${originLine({ ...origin, generation: generation - 1 })}`;
  return `Log: ${originLine(origin)}${after}`;
}

/** A token of a demo account where no account exists yet, else null. Processes that start at once make one. */
async function demoToken({ database }: Service, config: Config): Promise<string | null> {
  const demo = await createFirstAccount(database, {
    name: "demo",
    registrationGrant: DEMO_GRANT,
    lookupGrant: DEMO_GRANT,
    sequencesEnabled: true,
    maxRequestBytes: config.maxRequestBytes,
    maxFramesPerSequence: config.maxFramesPerSequence,
  });
  return demo && (await mintToken(database, demo.account.accountId, "demo")).token;
}

async function firstSteps(baseUrl: string, token: string): Promise<string> {
  const sample = fileURLToPath(new URL(SAMPLE, SAMPLES));
  const crop = fileURLToPath(new URL(SAMPLE_CROP, SAMPLES));
  const originalImageHash = blake3Hex(await readFile(sample));
  const auth = `-H 'Authorization: Bearer ${token}'`;
  const manifest = `'manifest[attribution]={"creator":"You"};type=application/json'`;
  return `
A demo account was made. Its token is shown this once:

  ${token}

Register a picture with a manifest, find it again from a crop, read its signed record:

  curl -sS ${auth} -F ${manifest} -F 'image=@${sample};type=image/jpeg' ${baseUrl}/registrations

  curl -sS ${auth} -F 'image=@${crop};type=image/jpeg' ${baseUrl}/lookup

  curl -sS ${auth} ${baseUrl}/records/${originalImageHash}

The contract is at ${baseUrl}/openapi/v1.json. Ctrl-C stops the service.
`;
}
