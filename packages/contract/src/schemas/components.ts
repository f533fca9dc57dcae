import type { Type } from "typebox";
import * as account from "./account.ts";
import * as admin from "./admin.ts";
import * as c2pa from "./extensions/c2pa.ts";
import * as inspection from "./extensions/inspection.ts";
import * as library from "./extensions/library.ts";
import * as operations from "./extensions/operations.ts";
import * as operator from "./extensions/operator.ts";
import * as readiness from "./extensions/readiness.ts";
import * as ledgers from "./ledgers.ts";
import * as lookup from "./lookup.ts";
import * as problems from "./problems.ts";
import * as records from "./records.ts";
import * as registrations from "./registrations.ts";
import * as sequences from "./sequences.ts";
import * as service from "./service.ts";
import * as slots from "./slots.ts";

/** Every named schema of the contract, by the name the OpenAPI document gives it, in alphabetical order. */
export const COMPONENTS: Readonly<Record<string, Type.TSchema>> = named(
  service,
  registrations,
  slots,
  lookup,
  records,
  account,
  sequences,
  admin,
  ledgers,
  problems,
);

/** Those of the extensions. */
export const EXTENSION_COMPONENTS: Readonly<Record<string, Type.TSchema>> = named(
  readiness,
  inspection,
  library,
  operations,
  c2pa,
  operator,
);

/** All of them: no two have one name. */
export const NAMED_SCHEMAS: Readonly<Record<string, Type.TSchema>> = {
  ...COMPONENTS,
  ...EXTENSION_COMPONENTS,
};

/** The schemas of some modules, which export nothing else. */
function named(...modules: readonly Readonly<Record<string, Type.TSchema>>[]): Record<string, Type.TSchema> {
  const schemas = modules.flatMap((module) => Object.entries(module));
  return Object.fromEntries(schemas.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
