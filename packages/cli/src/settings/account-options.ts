import { ColophonClient } from "@colophon/client";
import type { Invocation, OptionSpec } from "../command.ts";
import { fromEnvironment } from "./environment.ts";
import { Failure } from "../failure.ts";
import { type Profile, readProfile } from "./profile.ts";
import { sendableToken } from "./token.ts";
import { baseUrlOf, DEFAULT_BASE_URL, namedBaseUrl, URL_OPTION } from "./service-options.ts";

/** The options of every command for users. */
export const ACCOUNT_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  ...URL_OPTION,
  json: { summary: "Print the answer as JSON" },
};

/** What the help of every command for users says about the token. */
export const TOKEN_DETAILS =
  "The token is COLOPHON_TOKEN, else that of the profile which colophon login writes.";

/**
 * The service and the token that command line, environment and profile name. The profile's token goes to the profile's
 * service only.
 *
 * @throws Failure (usage)
 */
export async function accountProfile(invocation: Invocation): Promise<Profile> {
  const token = fromEnvironment("COLOPHON_TOKEN");
  const named = namedBaseUrl(invocation);
  const profile = token === undefined || named === undefined ? await readProfile() : null;
  const baseUrl = baseUrlOf(named ?? profile?.baseUrl ?? DEFAULT_BASE_URL);
  if (token !== undefined) return { baseUrl, token: sendableToken(token, "COLOPHON_TOKEN") };
  if (profile === null) throw Failure.usage("There is no token: set COLOPHON_TOKEN, or run colophon login.");
  if (profile.baseUrl !== baseUrl) {
    throw Failure.usage(
      `The profile's token is for ${profile.baseUrl}, not for ${baseUrl}: set COLOPHON_TOKEN, or run colophon login.`,
    );
  }
  return profile;
}

/** A client of the account that command line, environment and profile name. @throws Failure (usage) */
export async function accountClient(invocation: Invocation): Promise<ColophonClient> {
  return new ColophonClient(await accountProfile(invocation));
}
