import { type Context, createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Desk } from "./desk.ts";

/** Whose token it is: an account's opens the account's routes, the operator's those of `/admin`, and neither the other's. */
export type Role = "account" | "operator";

/** Who is signed in. */
export interface Session {
  readonly role: Role;
  readonly token: string;
}

const KEY = "colophon.session";

/** The session of this tab, null when nobody is signed in. It ends with the tab. */
export function storedSession(): Session | null {
  const stored = sessionStorage.getItem(KEY);
  if (stored === null) return null;
  const { role, token } = JSON.parse(stored) as Partial<Session>;
  return (role === "account" || role === "operator") && typeof token === "string" ? { role, token } : null;
}

/** Keeps a session for this tab, or forgets all that the tab kept of the one before. */
export function storeSession(session: Session | null): void {
  if (session === null) sessionStorage.clear();
  else sessionStorage.setItem(KEY, JSON.stringify(session));
}

/** What every view behind the sign-in may use. */
export interface Signed {
  readonly session: Session;
  /** Of use to an account's session alone. */
  readonly desk: Desk;
}

export const SignedContext: Context<Signed | null> = createContext<Signed | null>(null);

/** The session of a view behind the sign-in. */
export function useSigned(): Signed {
  const signed = useContext(SignedContext);
  if (signed === null) throw new Error("A view that needs a session was shown without one.");
  return signed;
}

/** The desk of an account's view. */
export function useDesk(): Desk {
  return useSigned().desk;
}
