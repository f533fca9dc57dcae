import { ColophonClient } from "@colophon/client";
import { TOKEN_DETAILS, URL_OPTION } from "../settings/account-options.ts";
import type { Command } from "../command.ts";
import { printLine } from "../print.ts";
import { profilePath, writeProfile } from "../settings/profile.ts";
import { readSecret } from "../input/read-secret.ts";
import { baseUrlOf, DEFAULT_BASE_URL, namedBaseUrl } from "../settings/service-options.ts";

/** Keeps a service and a token for it, once the service has taken the token. */
export const login: Command = {
  words: ["login"],
  operands: [],
  summary: "Keep a service's address and the account's token for later commands",
  details: `The token is read from standard input, or asked for without echo. ${TOKEN_DETAILS}`,
  options: URL_OPTION,
  run: async (invocation) => {
    const baseUrl = baseUrlOf(namedBaseUrl(invocation) ?? DEFAULT_BASE_URL);
    const token = await readSecret(`Token for ${baseUrl}: `);
    await new ColophonClient({ baseUrl, token }).stats();
    await writeProfile({ baseUrl, token });
    printLine(`Kept in ${profilePath()}.`);
  },
};
