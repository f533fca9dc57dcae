import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { openImageEngine } from "@colophon/engine";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Config, Secrets } from "./config/environment.ts";
import { adminTokenFile, keyEncryptionKeyFile } from "./config/secret-files.ts";
import { PixelBudget } from "./custody/pixel-budget.ts";
import { QueryPool } from "./custody/query-pool.ts";
import { EmbeddedEngine } from "./engine/embedded-engine.ts";
import { NoEngine } from "./engine/no-engine.ts";
import type { Engine } from "./engine/port.ts";
import { accountRoutes } from "./http/routes/account.ts";
import { adminRoutes } from "./http/routes/admin.ts";
import { lookupSlotRoutes } from "./http/routes/lookup-slots.ts";
import { lookupRoutes } from "./http/routes/lookup.ts";
import { recordRoutes } from "./http/routes/records.ts";
import { registrationRoutes } from "./http/routes/registrations.ts";
import { serviceRoutes } from "./http/routes/service.ts";
import { sequenceRoutes } from "./http/routes/sequences.ts";
import { slotRoutes } from "./http/routes/slots.ts";
import { consolePages } from "./http/console-pages.ts";
import { ReadBuffer } from "./http/read-buffer.ts";
import { referencePages } from "./http/reference-pages.ts";
import { buildServer, type EdgeParts } from "./http/server.ts";
import { openServiceKeys, type ServiceKeys } from "./keys/service-keys.ts";
import { Vault } from "./keys/vault.ts";
import type { Services } from "./registry/services.ts";
import { type Database, type DatabaseAddress, openDatabase } from "./store/database.ts";
import { startEmbeddedPostgres } from "./store/embedded-postgres.ts";
import { searchHeavyWords } from "./store/heavy-words.ts";
import { Intents } from "./store/intents.ts";
import { migrate } from "./store/migrate.ts";
import { gatherPostings } from "./store/posting-lists.ts";
import { ProcessLease } from "./store/process-lease.ts";
import { SlotClaims } from "./store/slot-claims.ts";
import { sequenceSweeps } from "./sweeps/sequence-sweeps.ts";
import { slotSweeps } from "./sweeps/slot-sweeps.ts";
import { Sweeper } from "./sweeps/sweeper.ts";

/** Where the console is built into. */
const CONSOLE: string = fileURLToPath(new URL("../console/", import.meta.url));
/** Connections to the database: image work is bounded by the workers, short statements want a few more. */
const CONNECTIONS = 16;
/** Jobs that wait for a worker before the engine says it is full. */
const QUEUE_PER_WORKER = 16;
/** Memory for posted images, all requests together, in per-image caps; and at least this many bytes. */
const BUDGET_IMAGES = 8;
const LEAST_BUDGET = 536_870_912;

/** The running service. Disposing it finishes the requests under way, then stops everything it started. */
export interface Service extends AsyncDisposable {
  /** Where this process listens. */
  readonly listeningUrl: string;
  /** Where callers reach it, without a trailing slash. */
  readonly baseUrl: string;
  readonly adminToken: string;
  readonly database: Database;
}

/** Puts the service together and starts it. The one place that knows every part. */
export async function startService(config: Config, secrets: Secrets, log: Logger): Promise<Service> {
  await using started = new AsyncDisposableStack();
  const address = await databaseAddress(config, secrets, log, started);
  const lost = (error: Error): void => log.warn({ reason: error.name }, "database connection lost");
  const database = openDatabase(address, CONNECTIONS, lost);
  started.defer(() => database.destroy());
  await migrate(database);
  const keys = await openServiceKeys(
    database,
    new Vault(secrets.keyEncryptionKey ?? (await keyEncryptionKeyFile(config.dataDir))),
    trustDomain(config),
  );
  const lease = started.use(await ProcessLease.take(address, lost));
  const intents = new Intents(database, lease.owner);
  const pool = await QueryPool.open(config.dataDir);
  const engine = started.use(openEngine(config, database, keys, log));
  const claims = started.use(new SlotClaims(database, lease.owner));
  const pixels = new PixelBudget(Math.max(LEAST_BUDGET, BUDGET_IMAGES * config.maxImageBytes));
  const adminToken = secrets.adminToken ?? (await adminTokenFile(config.dataDir));
  const sweeps = [
    { name: "process lease", run: () => lease.hold().then(() => 0) },
    { name: "engine intents", run: () => intents.sweep() },
    ...slotSweeps({ database, claims, pool }),
    ...sequenceSweeps(database),
    { name: "posting lists", run: () => gatherPostings(database) },
    { name: "heavy words", run: () => searchHeavyWords(database) },
  ];
  started.use(await Sweeper.start(sweeps, config.sweepSeconds, log));
  const services: Services = { config, database, intents, engine, keys, pixels, claims, pool };
  const readBuffer = started.use(await ReadBuffer.open());
  const pages = [...(await referencePages()), ...(config.console ? await consolePages(CONSOLE) : [])];
  const app = buildApp(services, { adminToken, log, readBuffer, pages }, () => baseUrl);
  started.defer(() => app.close());
  await app.listen({ host: config.host, port: config.port });
  const listeningUrl = listeningAddress(config, app);
  const baseUrl = config.baseUrl ?? listeningUrl;
  const running = started.move();
  return {
    listeningUrl,
    baseUrl,
    adminToken,
    database,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function databaseAddress(
  config: Config,
  secrets: Secrets,
  log: Logger,
  started: AsyncDisposableStack,
): Promise<DatabaseAddress> {
  if (secrets.databaseUrl !== null) return { connectionString: secrets.databaseUrl };
  const embedded = started.use(await startEmbeddedPostgres({ dataDir: config.dataDir, log }));
  return embedded.connection;
}

function openEngine(config: Config, database: Database, keys: ServiceKeys, log: Logger): Engine {
  if (config.engine === "none") return new NoEngine();
  const workers = availableParallelism();
  const images = openImageEngine({
    workers,
    queueLimit: workers * QUEUE_PER_WORKER,
    maxImagePixels: config.maxImagePixels,
    acceptedTypes: config.acceptedTypes,
    packetKey: keys.residualKey,
  });
  return new EmbeddedEngine(images, database, keys.packets, log);
}

function buildApp(
  services: Services,
  edge: Pick<EdgeParts, "adminToken" | "log" | "readBuffer" | "pages">,
  baseUrl: () => string,
): FastifyInstance {
  const { config, database } = services;
  return buildServer({
    config,
    database,
    ...edge,
    openHandlers: serviceRoutes(baseUrl),
    operatorHandlers: adminRoutes(services),
    accountHandlers: {
      ...registrationRoutes(services),
      ...slotRoutes(services, baseUrl),
      ...lookupRoutes(services),
      ...lookupSlotRoutes(services, baseUrl),
      ...recordRoutes(services),
      ...sequenceRoutes(services),
      ...accountRoutes(services),
    },
  });
}

/** Names a new deployment in its certificates: by its public host, else by chance. */
function trustDomain(config: Config): string {
  const host = config.baseUrl === null ? null : URL.parse(config.baseUrl)?.hostname;
  return (host ?? `colophon-${randomBytes(6).toString("hex")}`).slice(0, 64);
}

function listeningAddress(config: Config, app: FastifyInstance): string {
  const { port } = app.server.address() as AddressInfo;
  const host = config.host === "0.0.0.0" || config.host === "::" ? "127.0.0.1" : config.host;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
