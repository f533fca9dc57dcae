import type { Authentication, Route } from "./route.ts";
import { ACCOUNT_ROUTES } from "./routes/account.ts";
import { ADMIN_ROUTES } from "./routes/admin.ts";
import { ADMIN_EXTENSIONS } from "./routes/extensions/admin.ts";
import { C2PA_EXTENSIONS } from "./routes/extensions/c2pa.ts";
import { INSPECT_EXTENSIONS } from "./routes/extensions/inspect.ts";
import { LIBRARY_EXTENSIONS } from "./routes/extensions/library.ts";
import { LOG_EXTENSIONS } from "./routes/extensions/log.ts";
import { SERVICE_EXTENSIONS } from "./routes/extensions/service.ts";
import { LOOKUP_SLOT_ROUTES } from "./routes/lookup-slots.ts";
import { LOOKUP_ROUTES } from "./routes/lookup.ts";
import { RECORD_ROUTES } from "./routes/records.ts";
import { REGISTRATION_ROUTES } from "./routes/registrations.ts";
import { SEQUENCE_ROUTES } from "./routes/sequences.ts";
import { SERVICE_ROUTES } from "./routes/service.ts";
import { SLOT_ROUTES } from "./routes/slots.ts";

const ALL = [
  ...SERVICE_ROUTES,
  ...REGISTRATION_ROUTES,
  ...SLOT_ROUTES,
  ...LOOKUP_ROUTES,
  ...LOOKUP_SLOT_ROUTES,
  ...RECORD_ROUTES,
  ...ACCOUNT_ROUTES,
  ...SEQUENCE_ROUTES,
  ...ADMIN_ROUTES,
] as const satisfies readonly Route[];

const ALL_EXTENSIONS = [
  ...SERVICE_EXTENSIONS,
  ...INSPECT_EXTENSIONS,
  ...LIBRARY_EXTENSIONS,
  ...LOG_EXTENSIONS,
  ...C2PA_EXTENSIONS,
  ...ADMIN_EXTENSIONS,
] as const satisfies readonly Route[];

type AnyRoute = (typeof ALL | typeof ALL_EXTENSIONS)[number];

/** The name of a route, unique in the contract and its extensions. */
export type OperationId = AnyRoute["operationId"];

/** The names of the routes that are as `Shape` says: those of one authentication, say, or under one tag. */
export type OperationOf<Shape extends Partial<Pick<Route, "auth" | "tag">>> = Extract<
  AnyRoute,
  Shape
>["operationId"];

/** A route under its name. */
export type NamedRoute = {
  [A in Authentication]: Route & { readonly auth: A; readonly operationId: OperationOf<{ auth: A }> };
}[Authentication];

/** Every route of the contract, in the order in which the document lists them. */
export const ROUTES: readonly NamedRoute[] = ALL;

/** Routes beyond the contract, in the order in which the document of the extensions lists them. */
export const EXTENSIONS: readonly NamedRoute[] = ALL_EXTENSIONS;

/** The route of that name. */
export function routeOf(operationId: OperationId): NamedRoute {
  const route = [...ROUTES, ...EXTENSIONS].find((candidate) => candidate.operationId === operationId);
  if (route === undefined) throw new TypeError(`no route is named ${operationId}`);
  return route;
}
