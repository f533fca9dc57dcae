import type { FunctionComponent } from "preact";
import { Operator } from "./operator/operator.tsx";
import type { Role } from "./session.ts";
import { LookUp } from "./views/look-up.tsx";

/** What every view is given. */
export interface ViewProps {
  /** What the address names after the view's path; empty when nothing. */
  readonly subject: string;
}

/** A view of the console: one entry of the navigation. */
export interface View {
  readonly path: string;
  readonly title: string;
  readonly role: Role;
  readonly component: FunctionComponent<ViewProps>;
}

/** Every view, in the order of the navigation; the first of a role is where it starts. */
export const VIEWS: readonly View[] = [
  { path: "look-up", title: "Look up", role: "account", component: LookUp },
  { path: "accounts", title: "Accounts", role: "operator", component: Operator },
];
