import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { PUBLIC_READS, type PublicReads } from "@colophon/contract";
import { decodableTypes } from "@colophon/engine";
import type { ManifestForm } from "@colophon/formats";
import { KEY_TYPE, parseVkey, type VerifierKey } from "@colophon/log";
import { AddressRanges } from "./address-ranges.ts";

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

/** A key-encryption key that the environment gives. */
export interface GivenKey {
  /** 32 bytes. */
  readonly bytes: Buffer;
  /** The setting it comes from, the variable or its `_FILE`, as messages name it. */
  readonly setting: string;
}

/** A value that the service cannot start with; the message is one line that names the variable. */
export class BadSetting extends Error {
  override readonly name = "BadSetting";
  constructor(variable: string, expectation: string) {
    super(`${variable} must be ${expectation}.`);
  }
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
  const { text, choice, isOn, integer, share, seconds } = reader(environment);
  const maxImageBytes = integer("COLOPHON_MAX_IMAGE_BYTES", 67_108_864, 1, 2_147_483_647);
  const manifestBytes = (most: number) => integer("COLOPHON_MAX_MANIFEST_BYTES", most, 1, 268_435_456);
  return {
    host: text("COLOPHON_HOST", "127.0.0.1"),
    port: integer("COLOPHON_PORT", 8400, 0, 65_535),
    baseUrl: baseUrl(text("COLOPHON_BASE_URL", "")),
    dataDir: resolve(text("COLOPHON_DATA_DIR", "./data")),
    engine: choice("COLOPHON_ENGINE", "embedded", ["embedded", "none"]),
    console: isOn("COLOPHON_CONSOLE"),
    consolePinsRoot: isOn("COLOPHON_CONSOLE_PINS_ROOT"),
    inspect: isOn("COLOPHON_INSPECT"),
    log: isOn("COLOPHON_LOG"),
    witnesses: witnesses(text("COLOPHON_WITNESSES", "")),
    timestampUrl: timestampUrl(text("COLOPHON_TIMESTAMP_URL", "")),
    c2pa: choice("COLOPHON_C2PA", "token", C2PA_ACCESS),
    c2paFingerprint: algorithmName("COLOPHON_C2PA_FINGERPRINT", text("COLOPHON_C2PA_FINGERPRINT", "")),
    allowedOrigins: allowedOrigins(text("COLOPHON_ALLOWED_ORIGINS", "")),
    acceptedTypes: acceptedTypes(text("COLOPHON_ACCEPTED_TYPES", "image/jpeg,image/png,image/webp")),
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
    trustedProxies: addressRanges("COLOPHON_TRUSTED_PROXIES", text("COLOPHON_TRUSTED_PROXIES", "")),
    metrics: listener("COLOPHON_METRICS", text("COLOPHON_METRICS", "")),
    logLevel: choice("COLOPHON_LOG_LEVEL", "info", LOG_LEVELS),
  };
}

/** Maps the environment to the secrets. @throws BadSetting, whose message never repeats a value */
export function readSecrets(environment: Environment): Secrets {
  const { text } = reader(environment);
  /** Reads a secret from its variable, else from the file that its `_FILE` names; null where neither is set. */
  const secret = <T>(name: string, read: (setting: string, text: string) => T): T | null => {
    const own = text(name, "");
    if (own !== "") return read(name, own);
    const inFile = `${name}_FILE`;
    const path = text(inFile, "");
    return path === "" ? null : read(inFile, fileContent(inFile, path));
  };
  return {
    databaseUrl: databaseUrl(text("COLOPHON_DATABASE_URL", "")),
    adminToken: secret("COLOPHON_ADMIN_TOKEN", adminToken),
    keyEncryptionKey: secret("COLOPHON_KEY_ENCRYPTION_KEY", keyEncryptionKey),
  };
}

function reader(environment: Environment): {
  text: (name: string, otherwise: string) => string;
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
  return {
    text,
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

function baseUrl(text: string): string | null {
  if (text === "") return null;
  const url = URL.parse(text);
  // It is published, in the log's name and in every link.
  const isPlain = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === "";
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    const expected = "an http or https address without user name, password, query or fragment";
    throw new BadSetting("COLOPHON_BASE_URL", expected);
  }
  return url.href.replace(/\/+$/, "");
}

function algorithmName(name: string, text: string): string | null {
  if (text === "") return null;
  if (text.length > 255 || !/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$/.test(text)) {
    throw new BadSetting(
      name,
      "names with dots between them, a reversed domain first (net.press.original.1)",
    );
  }
  return text;
}

function addressRanges(name: string, text: string): AddressRanges {
  try {
    return new AddressRanges(listed(text));
  } catch {
    throw new BadSetting(name, "a comma-separated list of address ranges (10.0.0.0/8, fd00::/8)");
  }
}

function listener(name: string, text: string): Config["metrics"] {
  if (text === "") return null;
  const [, host = "", port = ""] = /^(\[[0-9a-fA-F:.]+\]|[^\s:/]+):(\d{1,5})$/.exec(text) ?? [];
  if (host === "" || Number(port) > 65_535) {
    throw new BadSetting(name, "a host and a port (127.0.0.1:9464)");
  }
  return { host: host.replaceAll(/[[\]]/g, ""), port: Number(port) };
}

/** A witness of this deployment's log: its key, and the address it takes checkpoints at. */
export interface KnownWitness {
  readonly key: VerifierKey;
  /** Without a trailing slash. */
  readonly url: string;
}

function witnesses(text: string): readonly KnownWitness[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").map(knownWitness);
}

function knownWitness(line: string): KnownWitness {
  const wanted = "lines of a witness's vkey and its http or https address, with a space between";
  const [vkey = "", address = "", ...rest] = line.split(/\s+/);
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || rest.length > 0) {
    throw new BadSetting("COLOPHON_WITNESSES", wanted);
  }
  try {
    const key = parseVkey(vkey);
    if (key.type === KEY_TYPE.cosignature) return { key, url: url.href.replace(/\/+$/, "") };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new BadSetting("COLOPHON_WITNESSES", wanted);
}

function timestampUrl(text: string): string | null {
  if (text === "") return null;
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? "")) {
    throw new BadSetting("COLOPHON_TIMESTAMP_URL", "an http or https address");
  }
  return text;
}

function listed(text: string): readonly string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function allowedOrigins(text: string): readonly string[] {
  const origins = listed(text);
  if (origins.some((origin) => origin !== "*" && URL.parse(origin)?.origin !== origin)) {
    throw new BadSetting("COLOPHON_ALLOWED_ORIGINS", "a comma-separated list of origins (https://...), or *");
  }
  return [...new Set(origins)];
}

function acceptedTypes(text: string): readonly string[] {
  const types = text.split(",").map((type) => type.trim().toLowerCase());
  const known: readonly string[] = decodableTypes;
  if (types.some((type) => !known.includes(type))) {
    throw new BadSetting("COLOPHON_ACCEPTED_TYPES", `a comma-separated list from ${known.join(", ")}`);
  }
  return [...new Set(types)];
}

function databaseUrl(text: string): string | null {
  if (text === "") return null;
  const url = URL.parse(text);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new BadSetting("COLOPHON_DATABASE_URL", "a PostgreSQL address (postgresql://...)");
  }
  if (url.searchParams.get("uselibpqcompat") === "true") return text;
  // The driver verifies certificates in all of these modes, and warns at every start that its next version will not.
  return text.replace(/(?<=[?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, "verify-full");
}

/** Whether a text may open `/admin`. */
export function isAdminToken(text: string): boolean {
  return /^[\x21-\x7e]{16,}$/.test(text);
}

function adminToken(name: string, text: string): string {
  if (!isAdminToken(text)) {
    throw new BadSetting(name, `${holding(name)}at least 16 printable characters without spaces`);
  }
  return text;
}

function keyEncryptionKey(setting: string, text: string): GivenKey {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length !== 32 || !/^[A-Za-z0-9+/]{43}=$/.test(text)) {
    throw new BadSetting(setting, `${holding(setting)}32 bytes in base64`);
  }
  return { bytes, setting };
}

/** What a setting that names a file is to say before what the file is to hold. */
function holding(name: string): string {
  return name.endsWith("_FILE") ? "the path of a file that holds " : "";
}
