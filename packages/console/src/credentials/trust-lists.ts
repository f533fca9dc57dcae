import type { TrustList } from "@colophon/credentials";
import { Observable } from "../browser/observable.ts";

const KEY = "colophon.trust-lists";

/** The lists of certificates by which the reader knows signers of Content Credentials; kept in this browser. */
export const trustLists: Observable<readonly TrustList[]> = new Observable(stored());

/** Takes a list, in place of one of the same name. */
export function trustList(list: TrustList): void {
  keep([...trustLists.value.filter(({ name }) => name !== list.name), list]);
}

export function forgetList(name: string): void {
  keep(trustLists.value.filter((list) => list.name !== name));
}

function keep(lists: readonly TrustList[]): void {
  trustLists.set(lists);
  try {
    localStorage.setItem(KEY, JSON.stringify(lists));
  } catch {
    // Lists that the browser has no room for hold for as long as this page is open.
  }
}

function stored(): readonly TrustList[] {
  return JSON.parse(localStorage.getItem(KEY) ?? "[]");
}
