import type { NamedRoute } from "@colophon/contract";
import findMyWay, { type HTTPMethod } from "find-my-way";
import { type Page, PAGE_METHODS } from "./pages/page.ts";

/** What answers a request: a route, or a page. */
export type Target =
  | { readonly kind: "route"; readonly route: NamedRoute; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: "page"; readonly page: Page };

/** The template of what nothing answers. */
const UNMATCHED = "unmatched";
/** No id, hash or name in an address is longer: a label of 512 characters has up to nine for each, percent-encoded. */
const MAX_PARAM_LENGTH = 512 * 9;

/** Finds what answers a method at an address. Addresses are compared percent-decoded (RFC 3986 section 6.2.2). */
export class Router {
  readonly #routes = findMyWay({ caseSensitive: true, maxParamLength: MAX_PARAM_LENGTH });
  readonly #methods: readonly string[];

  constructor(routes: readonly NamedRoute[], pages: readonly Page[]) {
    this.#methods = [...new Set([...routes.map(({ method }) => method), ...PAGE_METHODS])];
    for (const route of routes) {
      const path = route.path
        .replace(/\{\w+\}$/, (last) => (route.tail === true ? "*" : last))
        .replaceAll(/\{(\w+)\}/g, ":$1");
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
    return this.#methods.filter((method) => {
      const target = this.find(method, url);
      return target !== null && !(target.kind === "route" && Object.values(target.params).includes(""));
    });
  }

  /** The template of the route at an address, or of the folder of a page, whatever the method. */
  templateAt(url: string): string {
    for (const method of this.#methods) {
      const target = this.find(method, url);
      if (target?.kind === "route") return target.route.path;
      if (target?.kind === "page") return `/${target.page.path.split("/")[1]}/*`;
    }
    return UNMATCHED;
  }

  /** Whether an address belongs to the operator. */
  isOperators(url: string): boolean {
    return this.#methods.some((method) => {
      const target = this.find(method, url);
      return target?.kind === "route" && target.route.auth === "admin";
    });
  }
}
