import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Unreadiness } from "@colophon/contract";
import { openImageEngine } from "@colophon/engine";
import type { Logger } from "pino";
import type { Config, Secrets } from "./config/environment.ts";
import { existingKeyEncryptionKey, keyEncryptionKeyFile, keyPlace } from "./config/secret-files.ts";
import { addresses, type Listening, listening, tryListening } from "./config/listening.ts";
import { BodyBudget } from "./custody/body-budget.ts";
import { QueryPool } from "./custody/query-pool.ts";
import { EmbeddedEngine } from "./engine/embedded-engine.ts";
import { NoEngine } from "./engine/no-engine.ts";
import type { Engine } from "./engine/port.ts";
import { keepLog } from "./transparency/kept-log.ts";
import { type Origin, originAt } from "./transparency/origin.ts";
import { AnonymousCallers } from "./http/anonymous/anonymous-callers.ts";
import { accountRoutes } from "./http/routes/account.ts";
import { adminRoutes } from "./http/routes/admin.ts";
import { c2paRoutes, openC2paRoutes } from "./http/routes/c2pa.ts";
import { libraryRoutes } from "./http/routes/library.ts";
import { logProofRoutes, openLogRoutes } from "./http/routes/log.ts";
import { lookupSlotRoutes } from "./http/routes/lookup-slots.ts";
import { lookupRoutes } from "./http/routes/lookup.ts";
import { recordRoutes } from "./http/routes/records.ts";
import { registrationRoutes } from "./http/routes/registrations.ts";
import { serviceRoutes } from "./http/routes/service.ts";
import { sequenceRoutes } from "./http/routes/sequences.ts";
import { slotRoutes } from "./http/routes/slots.ts";
import { consoleConfiguration, consolePages } from "./http/pages/console-pages.ts";
import type { Page } from "./http/pages/page.ts";
import { ReadBuffer } from "./http/body/read-buffer.ts";
import { referencePages } from "./http/pages/reference-pages.ts";
import { Edge, type EdgeParts } from "./http/edge.ts";
import { KnownCallers } from "./http/pace/known-callers.ts";
import { LoopPace } from "./http/pace/loop-pace.ts";
import { FaultLog } from "./http/fault-log.ts";
import { RequestLog } from "./http/request-log.ts";
import { Router } from "./http/router.ts";
import { servedRoutes } from "./http/served-routes.ts";
import { HttpServer } from "./http/server.ts";
import { openServiceKeys, type ServiceKeys } from "./keys/service-keys.ts";
import { settleOperatorToken } from "./keys/operator-token.ts";
import { Vault } from "./keys/vault.ts";
import { Metrics } from "./metrics/metrics.ts";
import { MetricsListener } from "./metrics/metrics-listener.ts";
import { readings } from "./readings.ts";
import { unreadiness } from "./readiness.ts";
import { AnonymousTurns } from "./registry/anonymous-turns.ts";
import type { Services } from "./registry/services.ts";
import { accountsOfTokens } from "./store/accounts/tokens.ts";
import { operatorTokens } from "./store/accounts/operator-tokens.ts";
import { anonymousAccount } from "./store/accounts/anonymous.ts";
import { CallCounter } from "./store/accounts/call-counter.ts";
import { TokenResolver } from "./store/accounts/token-resolver.ts";
import type { Database } from "./store/database.ts";
import { DiskReserve } from "./store/disk-reserve.ts";
import { searchHeavyWords } from "./store/index/heavy-words.ts";
import { Intents } from "./store/custody/intents.ts";
import { hasSealedKeys } from "./store/keys.ts";
import { indexUnreadStores } from "./store/originals/c2pa-stores.ts";
import { forgetNonces } from "./store/log/forget-nonces.ts";
import { PublicLog } from "./store/log/public-log.ts";
import { forgetMarks } from "./store/lost-commit.ts";
import { openStore } from "./store/open-store.ts";
import { gatherPostings } from "./store/index/posting-lists.ts";
import { removeElsewhere } from "./store/index/posting-removals.ts";
import { SlotClaims } from "./store/slots/slot-claims.ts";
import { sequenceSweeps } from "./sweeps/sequence-sweeps.ts";
import { slotSweeps } from "./sweeps/slot-sweeps.ts";
import { type Sweep, Sweeper } from "./sweeps/sweeper.ts";

/** Where the console is built into. */
const CONSOLE: string = fileURLToPath(new URL("../console/", import.meta.url));
/**
 * Images worked at once: one a processor, and two where there is one only, so that a small image passes a large one.
 */
const PLACES: number = Math.max(2, availableParallelism());
/** Images that wait for a place before the engine says it is full. */
const QUEUE_PER_PLACE = 16;

/** The running service. Disposing it finishes the requests under way, then stops everything it started. */
export interface Service extends AsyncDisposable {
  /** Where this process listens. */
  readonly listeningUrl: string;
  /** Where callers reach it, without a trailing slash. */
  readonly baseUrl: string;
  /** Where the metrics are to be had; null: nowhere. */
  readonly metricsUrl: string | null;
  /** Null where no log is kept. */
  readonly logOrigin: Origin | null;
  readonly database: Database;
  /** From now on `GET /ready` says that this process is stopping; everything is answered as before. */
  announceStop(): void;
  /**
   * While it is being disposed: cuts off what is still under way. It ends as in a crash, and the next process settles
   * it.
   */
  cutOff(): void;
  /** Stops the database that this process runs, whatever else is still under way. */
  stopDatabase(): Promise<void>;
}

/** Puts the service together and starts it. The one place that knows every part. */
export async function startService(config: Config, secrets: Secrets, log: Logger): Promise<Service> {
  const { callers, scrapers } = addresses(config);
  for (const address of [callers, scrapers]) if (address) await tryListening(address);
  await using started = new AsyncDisposableStack();
  const store = started.use(await openStore(config, secrets, log));
  const { database, owner, watch } = store;
  const keys = await openKeys(database, config, secrets);
  const metrics = new Metrics();
  const intents = new Intents(database, owner);
  const pool = await QueryPool.open(config.dataDir);
  let isStopping = false;
  const isOwnServer = secrets.databaseUrl === null;
  const disk = new DiskReserve(config.dataDir, config.diskReserve, isOwnServer);
  const engine = started.use(await openEngine(config, { database, keys, log, metrics }));
  const claims = started.use(new SlotClaims(database, owner));
  const bodies = new BodyBudget(config.bodyMemoryBytes);
  const calls = started.use(new CallCounter(database));
  const sweeps = sweepsOf({ database, intents, engine, claims, pool }, isOwnServer);
  const sweeper = started.use(await Sweeper.start(sweeps, config.sweepSeconds, log));
  for (const reading of readings({ config, engine, bodies, database, pool, sweeper })) metrics.add(reading);
  const services: Services = {
    config,
    database,
    intents,
    engine,
    keys,
    bodies,
    calls,
    claims,
    pool,
    disk,
    anonymousTurns: new AnonymousTurns(PLACES),
    publicLog: new PublicLog(database),
  };
  const readBuffer = started.use(await ReadBuffer.open());
  const edge = buildEdge(
    services,
    {
      anonymous: new AnonymousCallers(config, await anonymousAccount(database)),
      callers: new KnownCallers(config.trustedProxies),
      readBuffer,
      metrics,
      faults: new FaultLog(log),
      requests: new RequestLog(log, metrics),
      router: new Router(servedRoutes(config), await servedPages(config, keys.signer.trustRoot)),
    },
    () => baseUrl,
    () => unreadiness({ watch, engine, disk, isStopping }),
  );
  const server = started.use(new HttpServer(edge, config.trustedProxies));
  const port = await listening(callers, () => server.listen(callers.host, callers.port));
  // Before anything is waited for: requests ask for it from now on.
  const listeningUrl = listeningAddress(callers.host, port);
  const baseUrl = config.baseUrl ?? listeningUrl;
  const metricsUrl = scrapers ? await openMetrics(started, metrics, scrapers) : null;
  const keptLog = config.log
    ? started.use(await keepLog(config, { database, signer: keys.log, log }, originAt(baseUrl)))
    : null;
  const running = started.move();
  return {
    listeningUrl,
    baseUrl,
    metricsUrl,
    logOrigin: keptLog?.origin ?? null,
    database,
    announceStop: () => {
      isStopping = true;
    },
    cutOff: () => {
      server.cutOff();
      database.interrupt();
    },
    stopDatabase: () => store.stopServer(),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Opens the service's keys with its key-encryption key, and settles the operator's token. */
async function openKeys(database: Database, config: Config, secrets: Secrets): Promise<ServiceKeys> {
  const { dataDir } = config;
  const openVault = async (): Promise<Vault> =>
    new Vault(secrets.keyEncryptionKey?.bytes ?? (await keyFile(database, dataDir)));
  const keys = await openServiceKeys(database, openVault, {
    trustDomain: trustDomain(config),
    keyPlace: keyPlace(dataDir, secrets.keyEncryptionKey),
  });
  await settleOperatorToken({ database, vault: await openVault(), dataDir }, secrets.adminToken);
  return keys;
}

/** The key file, made only while there is nothing that a lost one had sealed. */
async function keyFile(database: Database, dataDir: string): Promise<Buffer> {
  return (await hasSealedKeys(database)) ? existingKeyEncryptionKey(dataDir) : keyEncryptionKeyFile(dataDir);
}

function sweepsOf(
  {
    database,
    intents,
    engine,
    claims,
    pool,
  }: Pick<Services, "database" | "intents" | "engine" | "claims" | "pool">,
  isOwnServer: boolean,
): readonly Sweep[] {
  return [
    { name: "engine intents", run: () => intents.sweep() },
    { name: "commit marks", run: () => forgetMarks(database) },
    ...slotSweeps({ database, claims, pool }),
    ...sequenceSweeps(database),
    { name: "ranking parts", run: () => engine.fillRankingParts() },
    { name: "posting lists", run: () => gatherPostings(database) },
    { name: "postings elsewhere", run: () => removeElsewhere(database) },
    { name: "C2PA stores", run: () => indexUnreadStores(database) },
    { name: "heavy words", run: () => searchHeavyWords(database) },
    { name: "nonces", run: () => forgetNonces(database, isOwnServer) },
  ];
}

async function openEngine(
  config: Config,
  { database, keys, log, metrics }: { database: Database; keys: ServiceKeys; log: Logger; metrics: Metrics },
): Promise<Engine> {
  if (config.engine === "none") return new NoEngine();
  const images = await openImageEngine({
    places: PLACES,
    queueLimit: PLACES * QUEUE_PER_PLACE,
    maxImagePixels: config.maxImagePixels,
    acceptedTypes: config.acceptedTypes,
    packetKey: keys.residualKey,
    onStage: (stage, seconds) => metrics.stage(stage, seconds),
  });
  return new EmbeddedEngine(images, database, keys.packets, { log, metrics });
}

function buildEdge(
  services: Services,
  parts: Pick<
    EdgeParts,
    "anonymous" | "callers" | "faults" | "metrics" | "readBuffer" | "requests" | "router"
  >,
  baseUrl: () => string,
  reasons: () => readonly Unreadiness[],
): Edge {
  const { config, database, bodies, calls } = services;
  return new Edge({
    config,
    bodies,
    loop: new LoopPace(),
    authentication: { tokens: new TokenResolver((hashes) => accountsOfTokens(database, hashes)), calls },
    operatorTokens: new TokenResolver((hashes) => operatorTokens(database, hashes)),
    ...parts,
    openHandlers: {
      ...serviceRoutes(baseUrl, reasons),
      ...openLogRoutes(services),
      ...openC2paRoutes(config, baseUrl, reasons),
    },
    operatorHandlers: adminRoutes(services),
    accountHandlers: {
      ...registrationRoutes(services),
      ...slotRoutes(services, baseUrl),
      ...lookupRoutes(services),
      ...lookupSlotRoutes(services, baseUrl),
      ...recordRoutes(services),
      ...sequenceRoutes(services),
      ...accountRoutes(services),
      ...libraryRoutes(services),
      ...logProofRoutes(services),
      ...c2paRoutes(services, baseUrl),
    },
  });
}

/** The pages beside the routes: the API reference, and the console where it is served. */
async function servedPages(config: Config, trustRoot: string): Promise<readonly Page[]> {
  const reference = await referencePages();
  if (!config.console) return reference;
  return [...reference, ...(await consolePages(CONSOLE, consoleConfiguration(config, trustRoot)))];
}

/** Names a new deployment in its certificates: by its public host, else by chance. */
function trustDomain(config: Config): string {
  const host = config.baseUrl === null ? null : URL.parse(config.baseUrl)?.hostname;
  return (host ?? `colophon-${randomBytes(6).toString("hex")}`).slice(0, 64);
}

/** Has metrics answered at an address of their own. Returns where. */
async function openMetrics(
  stack: AsyncDisposableStack,
  metrics: Metrics,
  address: Listening,
): Promise<string> {
  const listener = await listening(address, () => MetricsListener.open(metrics, address));
  return `${listeningAddress(address.host, stack.use(listener).port)}/metrics`;
}

function listeningAddress(host: string, port: number): string {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}
