import { refuse } from "@colophon/contract";
import type { Engine } from "./port.ts";

/** The adapter behind `COLOPHON_ENGINE=none`: it refuses. */
export class NoEngine implements Engine {
  assertConfigured(): never {
    throw refuse("engineNotConfigured");
  }

  async check(): Promise<never> {
    this.assertConfigured();
  }

  async publish(): Promise<never> {
    this.assertConfigured();
  }

  async publishAll(): Promise<never> {
    this.assertConfigured();
  }

  canPublish(): never {
    this.assertConfigured();
  }

  async withdraw(): Promise<never> {
    this.assertConfigured();
  }

  async recordSequence(): Promise<never> {
    this.assertConfigured();
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
