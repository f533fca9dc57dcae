import { OperatorClient } from "@colophon/client";
import { useMemo } from "preact/hooks";
import { BASE_URL } from "../browser/base-url.ts";
import { useSession } from "../desk/session.ts";

/** The operator's client of the session. */
export function useOperator(): OperatorClient {
  const { token } = useSession();
  return useMemo(() => new OperatorClient({ baseUrl: BASE_URL, token }), [token]);
}
