import { ColophonClient } from "@colophon/client";
import type { Resolver } from "@colophon/credentials";
import type { Usage } from "../answers.ts";
import { BASE_URL } from "../browser/base-url.ts";
import type { BatchRow } from "../batch/batch-row.ts";
import { BatchRun } from "../batch/batch-run.ts";
import type { BatchTask } from "../batch/batch-task.ts";
import { forgetBatch, keptBatch } from "../batch/kept-batch.ts";
import { Observable } from "../browser/observable.ts";

/** A registration made in this tab, which alone knows the name of its file. */
export interface MadeRegistration {
  readonly id: string;
  readonly name: string;
  readonly at: string;
}

const TRUST_ROOT_KEY = "colophon.trust-root";
const REGISTRATIONS_KEY = "colophon.registrations";

/** What a reader works with, whichever view is shown: an account, or anyone. */
export class Desk {
  readonly client: ColophonClient;
  /** The service's resolution of C2PA soft bindings. */
  readonly resolver: Resolver;
  /** Whether there is an account behind it, which is charged for what it asks. */
  readonly hasAccount: boolean;
  /** Null until the service has told. */
  readonly usage: Observable<Usage | null> = new Observable<Usage | null>(null);
  /** Newest first; kept for the tab. */
  readonly registrations: Observable<readonly MadeRegistration[]>;
  /** The batch under way or last done. */
  readonly batch: Observable<BatchRun | null> = new Observable<BatchRun | null>(null);
  /** The root certificate the reader trusts, PEM; kept in this browser. */
  readonly trustRoot: Observable<string | null>;

  /** @param token an account's; null where nobody has signed in */
  constructor(token: string | null) {
    this.hasAccount = token !== null;
    this.resolver = { api: new URL("c2pa/v1", BASE_URL).href, token };
    this.client = new ColophonClient({ baseUrl: BASE_URL, token: token ?? undefined });
    const kept: MadeRegistration[] = JSON.parse(sessionStorage.getItem(REGISTRATIONS_KEY) ?? "[]");
    this.registrations = new Observable<readonly MadeRegistration[]>(kept);
    this.trustRoot = new Observable(localStorage.getItem(TRUST_ROOT_KEY));
    const batch = keptBatch();
    if (batch !== null) {
      this.batch.set(BatchRun.from(this.client, batch, (rows) => this.#batchEnded(batch.task, rows)));
    }
  }

  /** Takes a root certificate (PEM) as trusted, or none. */
  trust(pem: string | null): void {
    if (pem === null) localStorage.removeItem(TRUST_ROOT_KEY);
    else localStorage.setItem(TRUST_ROOT_KEY, pem);
    this.trustRoot.set(pem);
  }

  /** Asks the service for the account's use; an account that cannot be asked keeps what was known. */
  async refreshUsage(): Promise<void> {
    if (!this.hasAccount) return;
    this.usage.set(await this.client.stats().catch(() => this.usage.value));
  }

  /** Starts a batch; one at a time. */
  startBatch(task: BatchTask, files: readonly File[]): void {
    const run = BatchRun.of(this.client, task, files, (rows) => this.#batchEnded(task, rows));
    this.batch.set(run);
    void run.run();
  }

  /** Clears the table for another batch. */
  endBatch(): void {
    forgetBatch();
    this.batch.set(null);
  }

  #batchEnded({ kind }: BatchTask, rows: readonly BatchRow[]): void {
    if (kind === "register") this.remember(registrationsOf(rows));
    void this.refreshUsage();
  }

  /** Ends what is under way, when the session ends. */
  close(): void {
    this.batch.value?.leave();
  }

  remember(made: readonly MadeRegistration[]): void {
    this.#keep([...made, ...this.registrations.value]);
  }

  forget(registrationId: string): void {
    this.#keep(this.registrations.value.filter(({ id }) => id !== registrationId));
  }

  #keep(registrations: readonly MadeRegistration[]): void {
    sessionStorage.setItem(REGISTRATIONS_KEY, JSON.stringify(registrations));
    this.registrations.set(registrations);
  }
}

function registrationsOf(rows: readonly BatchRow[]): MadeRegistration[] {
  const at = new Date().toISOString();
  return rows.flatMap(({ state, registrationId: id, name }) =>
    state === "registered" && id !== null ? [{ id, name, at }] : [],
  );
}
