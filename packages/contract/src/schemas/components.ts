import type { Type } from "typebox";
import * as account from "./account.ts";
import * as admin from "./admin.ts";
import * as ledgers from "./ledgers.ts";
import * as lookup from "./lookup.ts";
import * as problems from "./problems.ts";
import * as records from "./records.ts";
import * as registrations from "./registrations.ts";
import * as sequences from "./sequences.ts";
import * as service from "./service.ts";
import * as slots from "./slots.ts";

const ALL: Readonly<Record<string, Type.TSchema>> = {
  ...service,
  ...registrations,
  ...slots,
  ...lookup,
  ...records,
  ...account,
  ...sequences,
  ...admin,
  ...ledgers,
  ...problems,
};

/** Every named schema of the contract, by the name the OpenAPI document gives it, in alphabetical order. */
export const COMPONENTS: Readonly<Record<string, Type.TSchema>> = Object.fromEntries(
  Object.entries(ALL).toSorted(([a], [b]) => (a < b ? -1 : 1)),
);
