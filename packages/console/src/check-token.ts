import { listAccounts } from "./operator/admin-client.ts";
import { clientOf, type Session } from "./session.ts";

/** Asks the service whether a token is what its reader says it is. @throws what the service says against it */
export async function checkToken({ role, token }: Session): Promise<void> {
  if (role === "account") await clientOf(token).stats();
  else await listAccounts(token);
}
