import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorClient } from "@colophon/client";
import { type Invocation, type OptionSpec, switchOption, textOption } from "../command.ts";
import { fromEnvironment } from "./environment.ts";
import { Failure } from "../failure.ts";
import { readProfile } from "./profile.ts";
import { shown } from "../shown.ts";
import { sendableToken } from "./token.ts";

/** Where a service listens unless told otherwise. */
export const DEFAULT_BASE_URL = "http://127.0.0.1:8400";

/** Where the service is; a token is never an argument, because other users see arguments. */
export const URL_OPTION: Readonly<Record<string, OptionSpec>> = {
  url: {
    placeholder: "URL",
    summary: `The service (COLOPHON_BASE_URL, else the profile's, else ${DEFAULT_BASE_URL})`,
  },
};

/** The options of every command for the operator. */
export const SERVICE_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  ...URL_OPTION,
  "data-dir": {
    placeholder: "DIR",
    summary: "Where the admin token is when COLOPHON_ADMIN_TOKEN is not set (COLOPHON_DATA_DIR, else ./data)",
  },
  json: { summary: "Print the service's answer as JSON" },
};

/** Whether the answer is wanted as JSON. */
export function wantsJson(invocation: Invocation): boolean {
  return switchOption(invocation, "json") === true;
}

/** Why the operator does it, for an account's ledger of operations. @throws Failure (usage) */
export function reasonOf(invocation: Invocation): string {
  const reason = textOption(invocation, "reason");
  if (reason === undefined) throw Failure.usage("--reason TEXT is required.");
  return reason;
}

/**
 * The service that the command line, the environment or else the profile names. An admin token that merely lies in
 * ./data goes to no other machine.
 *
 * @throws Failure (usage)
 */
export async function operatorClient(invocation: Invocation): Promise<OperatorClient> {
  const named = namedBaseUrl(invocation);
  const profile = named === undefined ? await readProfile() : null;
  const baseUrl = baseUrlOf(named ?? profile?.baseUrl ?? DEFAULT_BASE_URL);
  if (profile !== null && !isThisMachine(baseUrl) && !namesToken(invocation)) {
    throw Failure.usage(
      `The profile's service is ${baseUrl}: set COLOPHON_ADMIN_TOKEN to its admin token, or name another service with --url.`,
    );
  }
  return new OperatorClient({ baseUrl, token: await adminToken(invocation) });
}

function isThisMachine(baseUrl: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(baseUrl).hostname);
}

function namesToken(invocation: Invocation): boolean {
  return fromEnvironment("COLOPHON_ADMIN_TOKEN") !== undefined || namedDataDir(invocation) !== undefined;
}

function namedDataDir(invocation: Invocation): string | undefined {
  return textOption(invocation, "data-dir") ?? fromEnvironment("COLOPHON_DATA_DIR");
}

/** The address that the command line or else the environment names. */
export function namedBaseUrl(invocation: Invocation): string | undefined {
  return textOption(invocation, "url") ?? fromEnvironment("COLOPHON_BASE_URL");
}

/** An address without a trailing slash. @throws Failure (usage) */
export function baseUrlOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw Failure.usage(`The service's address must be an http or https URL, not ${shown(text)}.`);
  }
  return url.href.replace(/\/+$/, "");
}

async function adminToken(invocation: Invocation): Promise<string> {
  const given = fromEnvironment("COLOPHON_ADMIN_TOKEN");
  if (given !== undefined) return sendableToken(given, "COLOPHON_ADMIN_TOKEN");
  const file = join(namedDataDir(invocation) ?? "data", "admin-token");
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) {
    throw Failure.usage(
      `There is no readable admin token at ${file}: set COLOPHON_ADMIN_TOKEN, or name the service's data directory with --data-dir or COLOPHON_DATA_DIR.`,
    );
  }
  return sendableToken(text.trim(), file);
}
