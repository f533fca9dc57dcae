import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { PUBLIC_READS, type PublicReads } from "@colophon/contract";
import type { ManifestForm } from "@colophon/formats";
import type { AddressRanges } from "./address-ranges.ts";
import { BadSetting } from "./bad-setting.ts";
import {
  addressRanges,
  adminToken,
  algorithmName,
  baseUrl,
  databaseUrl,
  type GivenKey,
  hostAndPort,
  httpAddress,
  imageTypes,
  keyEncryptionKey,
  type KnownWitness,
  origins,
  witnesses,
} from "./setting-values.ts";

/** Where the service listens, keeps its data, and what it accepts. All of it but the secrets. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Public address without a trailing slash; null: derived from where the service listens. */
  readonly baseUrl: string | null;
  readonly dataDir: string;
  readonly engine: "embedded" | "none";
  /** Whether the web console is served at `/console`. */
  readonly console: boolean;
  /** Whether the console verifies records up to this deployment's own root, until its reader gives another one. */
  readonly consolePinsRoot: boolean;
  /** Whether `POST /inspect` answers. */
  readonly inspect: boolean;
  /** Whether the transparency log is kept and served; what it has missed is entered when it is switched on. */
  readonly log: boolean;
  /** Who is asked to cosign the log's checkpoints. */
  readonly witnesses: readonly KnownWitness[];
  /** A time-stamping authority (RFC 3161) that is asked once a day; null for none. */
  readonly timestampUrl: string | null;
  /** Whether Content Credentials are resolved, and whether without a token. */
  readonly c2pa: C2paAccess;
  /** The name of the deployment's own soft binding algorithm; null: derived from the base URL. */
  readonly c2paFingerprint: string | null;
  /** Origins whose pages may call the account's routes from a browser; `*` is any. */
  readonly allowedOrigins: readonly string[];
  readonly acceptedTypes: readonly string[];
  readonly maxRequestBytes: number;
  readonly maxImageBytes: number;
  readonly maxImagePixels: number;
  readonly maxManifestBytes: Readonly<Record<ManifestForm, number>>;
  readonly maxManifestsPerImage: number;
  readonly maxDeclaredHashes: number;
  readonly maxRecordHashes: number;
  readonly maxOpenSlots: number;
  readonly maxOpenLookupSlots: number;
  readonly maxOpenSequences: number;
  /** Share of a new image that registered originals must show on together for it to be their derivative, 0..1. */
  readonly preCheckCover: number;
  readonly maxQueriesPerRequest: number;
  readonly maxQueriesPerSlot: number;
  readonly maxErrataPerSlot: number;
  /** What a new account is set to; nothing is refused by it. */
  readonly maxFramesPerSequence: number;
  readonly slotIdleSeconds: number;
  readonly slotMaxSeconds: number;
  readonly sweepSeconds: number;
  /** Bytes of request bodies in memory, all requests together. */
  readonly bodyMemoryBytes: number;
  /** How long the body of a request may keep the service waiting for bytes. */
  readonly bodySilenceSeconds: number;
  /** How long a process that is told to stop goes on answering while `GET /ready` says so; 0: not at all. */
  readonly drainSeconds: number;
  /** Bytes of the data directory's file system that new work leaves free. */
  readonly diskReserve: number;
  /** What is answered without a token. */
  readonly public: PublicReads;
  /** Look-ups, and reads of records, within a minute from one address without a token. */
  readonly publicLookupsPerMinute: number;
  readonly publicRecordsPerMinute: number;
  /** Ranges of addresses (CIDR) whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: AddressRanges;
  /** Where the metrics are to be had; null: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** The least of what is logged. */
  readonly logLevel: LogLevel;
}

/** Who may resolve Content Credentials. */
const C2PA_ACCESS = ["off", "token", "public"] as const;
type C2paAccess = (typeof C2PA_ACCESS)[number];

/** What a line of the log is about, the gravest first. */
export const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What must never reach a log: kept apart from the rest of the configuration. */
export interface Secrets {
  /** A PostgreSQL URL, or null for the embedded server. */
  readonly databaseUrl: string | null;
  /** The operator's token, or null for the one generated into the data directory. */
  readonly adminToken: string | null;
  /** Null for the key file in the data directory. */
  readonly keyEncryptionKey: GivenKey | null;
}

/** Memory for bodies unless the operator says otherwise: room for so many of the largest images, and at least this. */
const BODY_MEMORY_IMAGES = 8;
const LEAST_BODY_MEMORY = 536_870_912;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Maps the environment to a configuration. Pure; unset and empty variables take their defaults.
 * @throws BadSetting
 */
export function readConfig(environment: Environment): Config {
  const { text, parsed, given, choice, isOn, integer, share, seconds } = reader(environment);
  const maxImageBytes = integer("COLOPHON_MAX_IMAGE_BYTES", 67_108_864, 1, 2_147_483_647);
  const manifestBytes = (most: number) => integer("COLOPHON_MAX_MANIFEST_BYTES", most, 1, 268_435_456);
  return {
    host: text("COLOPHON_HOST", "127.0.0.1"),
    port: integer("COLOPHON_PORT", 8400, 0, 65_535),
    baseUrl: given("COLOPHON_BASE_URL", baseUrl),
    dataDir: resolve(text("COLOPHON_DATA_DIR", "./data")),
    engine: choice("COLOPHON_ENGINE", "embedded", ["embedded", "none"]),
    console: isOn("COLOPHON_CONSOLE"),
    consolePinsRoot: isOn("COLOPHON_CONSOLE_PINS_ROOT"),
    inspect: isOn("COLOPHON_INSPECT"),
    log: isOn("COLOPHON_LOG"),
    witnesses: parsed("COLOPHON_WITNESSES", "", witnesses),
    timestampUrl: given("COLOPHON_TIMESTAMP_URL", httpAddress),
    c2pa: choice("COLOPHON_C2PA", "token", C2PA_ACCESS),
    c2paFingerprint: given("COLOPHON_C2PA_FINGERPRINT", algorithmName),
    allowedOrigins: parsed("COLOPHON_ALLOWED_ORIGINS", "", origins),
    acceptedTypes: parsed("COLOPHON_ACCEPTED_TYPES", "image/jpeg,image/png,image/webp", imageTypes),
    maxRequestBytes: integer("COLOPHON_MAX_REQUEST_BYTES", 268_435_456),
    maxImageBytes,
    maxImagePixels: integer("COLOPHON_MAX_IMAGE_PIXELS", 200_000_000),
    maxManifestBytes: { json: manifestBytes(1_048_576), jumbf: manifestBytes(4_194_304) },
    maxManifestsPerImage: integer("COLOPHON_MAX_MANIFESTS_PER_IMAGE", 16, 0, 65_535),
    maxDeclaredHashes: integer("COLOPHON_MAX_DECLARED_HASHES", 10_000),
    maxRecordHashes: integer("COLOPHON_MAX_RECORD_HASHES", 1_000),
    maxOpenSlots: integer("COLOPHON_MAX_OPEN_SLOTS", 16),
    maxOpenLookupSlots: integer("COLOPHON_MAX_OPEN_LOOKUP_SLOTS", 16),
    maxOpenSequences: integer("COLOPHON_MAX_OPEN_SEQUENCES", 256),
    preCheckCover: share("COLOPHON_PRECHECK_COVER", 0.25),
    maxQueriesPerRequest: integer("COLOPHON_MAX_QUERIES_PER_REQUEST", 256),
    maxQueriesPerSlot: integer("COLOPHON_MAX_QUERIES_PER_SLOT", 10_000),
    maxErrataPerSlot: integer("COLOPHON_MAX_ERRATA_PER_SLOT", 10_000, 0),
    maxFramesPerSequence: integer("COLOPHON_MAX_FRAMES_PER_SEQUENCE", 10_000),
    slotIdleSeconds: seconds("COLOPHON_SLOT_IDLE_SECONDS", 3_600),
    slotMaxSeconds: seconds("COLOPHON_SLOT_MAX_SECONDS", 86_400),
    sweepSeconds: seconds("COLOPHON_SWEEP_SECONDS", 30),
    // An account alone may hold half of it.
    bodyMemoryBytes: integer(
      "COLOPHON_BODY_MEMORY_BYTES",
      Math.max(LEAST_BODY_MEMORY, BODY_MEMORY_IMAGES * maxImageBytes),
      2 * maxImageBytes,
    ),
    bodySilenceSeconds: seconds("COLOPHON_BODY_SILENCE_SECONDS", 30),
    drainSeconds: integer("COLOPHON_DRAIN_SECONDS", 0, 0, 600),
    diskReserve: integer("COLOPHON_DISK_RESERVE", 1_073_741_824, 0),
    public: choice("COLOPHON_PUBLIC", "off", PUBLIC_READS),
    publicLookupsPerMinute: integer("COLOPHON_PUBLIC_LOOKUPS_PER_MINUTE", 30),
    publicRecordsPerMinute: integer("COLOPHON_PUBLIC_RECORDS_PER_MINUTE", 300),
    trustedProxies: parsed("COLOPHON_TRUSTED_PROXIES", "", addressRanges),
    metrics: given("COLOPHON_METRICS", hostAndPort),
    logLevel: choice("COLOPHON_LOG_LEVEL", "info", LOG_LEVELS),
  };
}

/** Maps the environment to the secrets. @throws BadSetting, whose message never repeats a value */
export function readSecrets(environment: Environment): Secrets {
  const { given } = reader(environment);
  /** Reads a secret from its variable, else from the file that its `_FILE` names; null where neither is set. */
  const secret = <T>(name: string, read: Parse<T>): T | null =>
    given(name, read) ?? given(`${name}_FILE`, (setting, path) => read(setting, fileContent(setting, path)));
  return {
    databaseUrl: given("COLOPHON_DATABASE_URL", databaseUrl),
    adminToken: secret("COLOPHON_ADMIN_TOKEN", adminToken),
    keyEncryptionKey: secret("COLOPHON_KEY_ENCRYPTION_KEY", keyEncryptionKey),
  };
}

/** What the text of a setting means. @throws BadSetting for one that means nothing */
type Parse<T> = (setting: string, text: string) => T;

function reader(environment: Environment): {
  text: (name: string, otherwise: string) => string;
  parsed: <T>(name: string, otherwise: string, read: Parse<T>) => T;
  /** Null where it is not set. */
  given: <T>(name: string, read: Parse<T>) => T | null;
  /** One of the words that are known. */
  choice: <T extends string>(name: string, otherwise: NoInfer<T>, known: readonly T[]) => T;
  /** What is on unless it is switched off. */
  isOn: (name: string) => boolean;
  integer: (name: string, otherwise: number, least?: number, most?: number) => number;
  share: (name: string, otherwise: number) => number;
  seconds: (name: string, otherwise: number) => number;
} {
  const text = (name: string, otherwise: string): string => environment[name]?.trim() || otherwise;
  const choice = <T extends string>(name: string, otherwise: T, known: readonly T[]): T => {
    const word = text(name, otherwise);
    const chosen = known.find((one) => one === word);
    if (chosen !== undefined) return chosen;
    throw new BadSetting(name, known.length === 2 ? known.join(" or ") : `one of ${known.join(", ")}`);
  };
  const parsed = <T>(name: string, otherwise: string, read: Parse<T>): T => read(name, text(name, otherwise));
  return {
    text,
    parsed,
    given: (name, read) => (text(name, "") === "" ? null : parsed(name, "", read)),
    choice,
    isOn: (name) => choice(name, "on", ["on", "off"]) === "on",
    integer: (name, otherwise, least = 1, most = Number.MAX_SAFE_INTEGER) => {
      const raw = text(name, String(otherwise));
      const value = Number(raw);
      if (!/^\d+$/.test(raw) || !Number.isSafeInteger(value) || value < least || value > most) {
        throw new BadSetting(name, `a whole number from ${least} to ${most}`);
      }
      return value;
    },
    share: (name, otherwise) => {
      const raw = text(name, String(otherwise));
      const value = Number(raw);
      if (!/^\d+(\.\d+)?$/.test(raw) || value > 1) throw new BadSetting(name, "a number from 0 to 1");
      return value;
    },
    seconds: (name, otherwise) => {
      const raw = text(name, String(otherwise));
      const value = Number(raw);
      // A timer cannot wait longer than 2^31 - 1 milliseconds.
      if (!/^\d+(\.\d+)?$/.test(raw) || value <= 0 || value > 2_147_483) {
        throw new BadSetting(name, "a number of seconds above 0 and up to 2147483");
      }
      return value;
    },
  };
}

/** What a file holds whose path a setting names, as supervisors hand secrets over. */
function fileContent(name: string, path: string): string {
  try {
    const content = readFileSync(path, "utf8").trim();
    if (content !== "") return content;
  } catch {
    // Said below.
  }
  throw new BadSetting(name, "the path of a file that can be read and is not empty");
}
