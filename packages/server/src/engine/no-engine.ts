import { refuse } from "@colophon/contract";
import type { Write } from "../store/database.ts";
import { deleteFeatures } from "../store/index/match-index.ts";
import type { Engine } from "./port.ts";

/**
 * The adapter behind `COLOPHON_ENGINE=none`: it refuses, but for a withdrawal. What is withdrawn without an engine must
 * not match again once there is one.
 */
export class NoEngine implements Engine {
  readonly isAlive = true;
  readonly queueLength = 0;

  assertConfigured(): never {
    throw refuse("engineNotConfigured");
  }

  async lookUp(): Promise<never> {
    this.assertConfigured();
  }

  async preCheck(): Promise<never> {
    this.assertConfigured();
  }

  async publish(): Promise<never> {
    this.assertConfigured();
  }

  canPublish(): never {
    this.assertConfigured();
  }

  withdraw(write: Write, imageNos: readonly number[]): Promise<void> {
    return deleteFeatures(write, imageNos);
  }

  async recordSequence(): Promise<never> {
    this.assertConfigured();
  }

  async fillRankingParts(): Promise<number> {
    return 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
