import { ColophonClient } from "@colophon/client";
import { listAccounts } from "./operator/admin-client.ts";
import { BASE_URL, type Session } from "./session.ts";

/** Asks the service whether a token is what its reader says it is. @throws what the service says against it */
export async function checkToken({ role, token }: Session): Promise<void> {
  if (role === "account") await new ColophonClient({ baseUrl: BASE_URL, token }).stats();
  else await listAccounts(token);
}
