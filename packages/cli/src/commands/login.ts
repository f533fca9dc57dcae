import { ColophonClient } from "@colophon/client";
import type { Command } from "../command.ts";
import { printLine } from "../print.ts";
import { profilePath, readProfile, writeProfile } from "../settings/profile.ts";
import { readSecret } from "../input/read-secret.ts";
import { sendableToken } from "../settings/token.ts";
import { baseUrlOf, DEFAULT_BASE_URL, namedBaseUrl, URL_OPTION } from "../settings/service-options.ts";

/** Keeps a service and a token for it, once the service has taken the token. */
export const login: Command = {
  words: ["login"],
  operands: [],
  summary: "Keep a service's address and the account's token for later commands",
  details:
    "The token is read from standard input, or asked for without echo. Later commands take it where COLOPHON_TOKEN is not set.",
  options: URL_OPTION,
  run: async (invocation) => {
    // A profile that cannot be used is replaced.
    const profile = await readProfile().catch(() => null);
    const baseUrl = baseUrlOf(namedBaseUrl(invocation) ?? profile?.baseUrl ?? DEFAULT_BASE_URL);
    const token = sendableToken(await readSecret(`Token for ${baseUrl}: `), "What was typed or piped");
    await new ColophonClient({ baseUrl, token }).stats();
    await writeProfile({ baseUrl, token });
    printLine(`Kept in ${profilePath()}.`);
  },
};
