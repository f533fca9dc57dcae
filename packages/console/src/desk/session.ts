import { type Context, createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Desk } from "./desk.ts";

/**
 * Whose token it is: an account's opens the account's routes, the operator's those of `/admin`, and neither the
 * other's.
 */
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

/** What every view may use. */
export interface Reading {
  /** Null where the reader has not signed in. */
  readonly session: Session | null;
  /** Of no use to the operator. */
  readonly desk: Desk;
}

export const ReadingContext: Context<Reading | null> = createContext<Reading | null>(null);

function useReading(): Reading {
  const reading = useContext(ReadingContext);
  if (reading === null) throw new Error("A view was shown outside the console.");
  return reading;
}

/** The session of a view behind the sign-in. */
export function useSession(): Session {
  const { session } = useReading();
  if (session === null) throw new Error("A view that needs a session was shown without one.");
  return session;
}

/** What a reader works with, signed in or not. */
export function useDesk(): Desk {
  return useReading().desk;
}
