import { decodableTypes } from "@colophon/engine";
import { KEY_TYPE, parseVkey, type VerifierKey } from "@colophon/log";
import { AddressRanges } from "./address-ranges.ts";
import { BadSetting } from "./bad-setting.ts";

/*
 * What the texts of settings mean. Each function takes the setting's name and its text.
 * All throw BadSetting for a text that means nothing; an empty one comes only where it is an empty list.
 */

/** A key-encryption key that the environment gives. */
export interface GivenKey {
  /** 32 bytes. */
  readonly bytes: Buffer;
  /** The setting it comes from, the variable or its `_FILE`, as messages name it. */
  readonly setting: string;
}

/** An http or https address without a trailing slash. */
export function baseUrl(setting: string, text: string): string {
  const url = URL.parse(text);
  // It is published, in the log's name and in every link.
  const isPlain = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === "";
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    const expected = "an http or https address without user name, password, query or fragment";
    throw new BadSetting(setting, expected);
  }
  return url.href.replace(/\/+$/, "");
}

/** The name of a soft binding algorithm. */
export function algorithmName(setting: string, text: string): string {
  if (text.length > 255 || !/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$/.test(text)) {
    throw new BadSetting(
      setting,
      "names with dots between them, a reversed domain first (net.press.original.1)",
    );
  }
  return text;
}

export function addressRanges(setting: string, text: string): AddressRanges {
  try {
    return new AddressRanges(listed(text));
  } catch {
    throw new BadSetting(setting, "a comma-separated list of address ranges (10.0.0.0/8, fd00::/8)");
  }
}

/** A host and a port to listen at. */
export function hostAndPort(setting: string, text: string): { readonly host: string; readonly port: number } {
  const [, host = "", port = ""] = /^(\[[0-9a-fA-F:.]+\]|[^\s:/]+):(\d{1,5})$/.exec(text) ?? [];
  if (host === "" || Number(port) > 65_535) {
    throw new BadSetting(setting, "a host and a port (127.0.0.1:9464)");
  }
  return { host: host.replaceAll(/[[\]]/g, ""), port: Number(port) };
}

/** A witness of this deployment's log: its key, and the address it takes checkpoints at. */
export interface KnownWitness {
  readonly key: VerifierKey;
  /** Without a trailing slash. */
  readonly url: string;
}

export function witnesses(setting: string, text: string): readonly KnownWitness[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").map((line) => knownWitness(setting, line));
}

function knownWitness(setting: string, line: string): KnownWitness {
  const wanted = "lines of a witness's vkey and its http or https address, with a space between";
  const [vkey = "", address = "", ...rest] = line.split(/\s+/);
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || rest.length > 0) {
    throw new BadSetting(setting, wanted);
  }
  try {
    const key = parseVkey(vkey);
    if (key.type === KEY_TYPE.cosignature) return { key, url: url.href.replace(/\/+$/, "") };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new BadSetting(setting, wanted);
}

export function httpAddress(setting: string, text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? "")) {
    throw new BadSetting(setting, "an http or https address");
  }
  return text;
}

export function origins(setting: string, text: string): readonly string[] {
  const named = listed(text);
  if (named.some((origin) => origin !== "*" && URL.parse(origin)?.origin !== origin)) {
    throw new BadSetting(setting, "a comma-separated list of origins (https://...), or *");
  }
  return [...new Set(named)];
}

export function imageTypes(setting: string, text: string): readonly string[] {
  const types = text.split(",").map((type) => type.trim().toLowerCase());
  const known: readonly string[] = decodableTypes;
  if (types.some((type) => !known.includes(type))) {
    throw new BadSetting(setting, `a comma-separated list from ${known.join(", ")}`);
  }
  return [...new Set(types)];
}

export function databaseUrl(setting: string, text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new BadSetting(setting, "a PostgreSQL address (postgresql://...)");
  }
  if (url.searchParams.get("uselibpqcompat") === "true") return text;
  // The driver verifies certificates in all of these modes, and warns at every start that its next version will not.
  return text.replace(/(?<=[?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, "verify-full");
}

/** Whether a text may open `/admin`. */
export function isAdminToken(text: string): boolean {
  return /^[\x21-\x7e]{16,}$/.test(text);
}

export function adminToken(setting: string, text: string): string {
  if (!isAdminToken(text)) {
    throw new BadSetting(setting, `${holding(setting)}at least 16 printable characters without spaces`);
  }
  return text;
}

export function keyEncryptionKey(setting: string, text: string): GivenKey {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length !== 32 || !/^[A-Za-z0-9+/]{43}=$/.test(text)) {
    throw new BadSetting(setting, `${holding(setting)}32 bytes in base64`);
  }
  return { bytes, setting };
}

/** What a setting that names a file is to say before what the file is to hold. */
function holding(setting: string): string {
  return setting.endsWith("_FILE") ? "the path of a file that holds " : "";
}

function listed(text: string): readonly string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
