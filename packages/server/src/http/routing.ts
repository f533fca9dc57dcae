import { type NamedRoute, ROUTES } from "@colophon/contract";

/** Every method the contract's routes answer under a path, in the contract's order; empty for an unknown path. */
export function methodsAt(path: string): readonly string[] {
  const methods = ROUTES.filter((route) => pattern(route).test(path)).map((route) => route.method);
  return [...new Set(methods)];
}

/** The contract's path in the router's notation: `/slots/:slotId`. */
export function routerPath({ path }: NamedRoute): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

function pattern({ path }: NamedRoute): RegExp {
  return new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}
