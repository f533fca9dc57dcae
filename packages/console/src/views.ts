import type { FunctionComponent } from "preact";
import type { Configuration } from "./configuration.ts";
import { Accounts } from "./operator/accounts.tsx";
import { Custody } from "./operator/custody/custody.tsx";
import { Originals } from "./operator/originals.tsx";
import { PublishedRoot } from "./operator/published-root.tsx";
import { Usage } from "./operator/usage/usage.tsx";
import type { Session, Role } from "./desk/session.ts";
import type { ViewProps } from "./view-props.ts";
import { Account } from "./views/account.tsx";
import { Batch } from "./views/batch.tsx";
import { Library } from "./views/library.tsx";
import { LookUp } from "./views/look-up.tsx";
import { Records } from "./views/records.tsx";
import { Register } from "./views/register.tsx";

/** A view of the console: one entry of the navigation. */
export interface View {
  readonly path: string;
  readonly title: string;
  readonly role: Role;
  /** What the service must answer to anyone for the view to be of use without signing in. */
  readonly open?: readonly Configuration["reads"][];
  readonly component: FunctionComponent<ViewProps>;
}

/** Where anyone signs in whom the service answers without that too. */
export const SIGN_IN = "sign-in";

/** Every view, in the order of the navigation; the first of a role is where it starts. */
export const VIEWS: readonly View[] = [
  { path: "look-up", title: "Look up", role: "account", open: ["lookups"], component: LookUp },
  { path: "records", title: "Verify", role: "account", open: ["lookups", "records"], component: Records },
  { path: "register", title: "Register", role: "account", component: Register },
  { path: "batch", title: "Batch", role: "account", component: Batch },
  { path: "library", title: "Library", role: "account", component: Library },
  { path: "account", title: "Account", role: "account", component: Account },
  { path: "accounts", title: "Accounts", role: "operator", component: Accounts },
  { path: "originals", title: "Originals", role: "operator", component: Originals },
  { path: "custody", title: "Custody", role: "operator", component: Custody },
  { path: "usage", title: "Usage", role: "operator", component: Usage },
  { path: "trust-root", title: "Trust root", role: "operator", component: PublishedRoot },
];

/** The views that a reader may open. */
export function viewsFor(session: Session | null, { reads }: Configuration): readonly View[] {
  return VIEWS.filter(({ role, open }) =>
    session === null ? open?.includes(reads) === true : role === session.role,
  );
}
