import { EXTENSIONS, type NamedRoute, ROUTES } from "@colophon/contract";
import findMyWay, { type HTTPMethod } from "find-my-way";
import { type Page, PAGE_METHODS } from "./pages/page.ts";

/** What answers a request: a route of the contract, or a page. */
export type Target =
  | { readonly kind: "route"; readonly route: NamedRoute; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: "page"; readonly page: Page };

/** No id, hash or name in an address is longer. */
const MAX_PARAM_LENGTH = 4096;
/** Every route that is served: the contract's, then its extensions. */
const SERVED: readonly NamedRoute[] = [...ROUTES, ...EXTENSIONS];
const METHODS: readonly string[] = [...new Set([...SERVED.map(({ method }) => method), ...PAGE_METHODS])];

/** Finds what answers a method at an address. Addresses are compared percent-decoded (RFC 3986 section 6.2.2). */
export class Router {
  readonly #routes = findMyWay({ caseSensitive: true, maxParamLength: MAX_PARAM_LENGTH });

  constructor(pages: readonly Page[]) {
    for (const route of SERVED) {
      const path = route.path.replaceAll(/\{(\w+)\}/g, ":$1");
      this.#routes.on(route.method, path, () => {}, { kind: "route", route });
    }
    for (const page of pages) {
      this.#routes.on([...PAGE_METHODS] as HTTPMethod[], page.path, () => {}, { kind: "page", page });
    }
  }

  /** @param url the request target, query string included; null when nothing answers there */
  find(method: string, url: string): Target | null {
    const found = this.#routes.find(method as HTTPMethod, url);
    if (!found?.store) return null;
    return { ...found.store, params: found.params };
  }

  /** Every method that something answers at an address; empty for an unknown one, and for one that lacks an id. */
  methodsAt(url: string): readonly string[] {
    return METHODS.filter((method) => {
      const target = this.find(method, url);
      return target !== null && !(target.kind === "route" && Object.values(target.params).includes(""));
    });
  }

  /** Whether an address belongs to the operator. */
  isOperators(url: string): boolean {
    return METHODS.some((method) => {
      const target = this.find(method, url);
      return target?.kind === "route" && target.route.auth === "admin";
    });
  }
}
