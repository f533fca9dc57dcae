import { ColophonClient, OperatorClient } from "@colophon/client";
import { BASE_URL } from "../browser/base-url.ts";
import type { Session } from "./session.ts";

/** Asks the service whether a token is what its reader says it is. @throws what the service says against it */
export async function checkToken({ role, token }: Session): Promise<void> {
  if (role === "account") await new ColophonClient({ baseUrl: BASE_URL, token }).stats();
  else await new OperatorClient({ baseUrl: BASE_URL, token }).accounts();
}
