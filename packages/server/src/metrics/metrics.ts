import { REFUSALS } from "@colophon/contract";
import {
  type CollectFunction,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
} from "prom-client";

/** A request and what became of it. `route` is a template, never an address. */
export interface AnsweredRequest {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

const VERDICT_OUTCOMES = ["matched", "notMatched", "declined", "notYet"] as const;

/** What a look-up of one picture came to. */
export type VerdictOutcome = (typeof VERDICT_OUTCOMES)[number];

/** A figure that is read when it is asked for; null while it cannot be had. */
export interface Reading {
  readonly name: string;
  readonly help: string;
  /** The name of the label that tells several values apart; left out where there is one. */
  readonly label?: string;
  /** One value, or one for each value of the label. */
  readonly read: () => Figures | Promise<Figures>;
}

type Figures = number | null | Readonly<Record<string, number>>;

/** From a health probe to the longest that a request may take. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const STAGE_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Figures of Node that promtool objects to, by their names. */
const MISNAMED = [
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
  "nodejs_active_resources_total",
];

/**
 * What the service counts and measures of itself, in Prometheus's terms. No label carries an account, a hash or an
 * address, so that the number of series is bounded by the build.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    name: "colophon_http_requests_total",
    help: "Requests answered; status 499 where the client had gone before.",
    labelNames: ["method", "route", "status"],
    registers: [this.#registry],
  });
  readonly #requestSeconds = new Histogram({
    name: "colophon_http_request_seconds",
    help: "Time from the head of a request to the end of its answer.",
    labelNames: ["route"],
    buckets: REQUEST_BUCKETS,
    registers: [this.#registry],
  });
  readonly #stageSeconds = new Histogram({
    name: "colophon_stage_seconds",
    help: "Time that a picture took in a stage of the engine, waiting for a place left out.",
    labelNames: ["stage"],
    buckets: STAGE_BUCKETS,
    registers: [this.#registry],
  });
  readonly #verdicts = new Counter({
    name: "colophon_verdicts_total",
    help: "Pictures looked up, by what came of it.",
    labelNames: ["outcome"],
    registers: [this.#registry],
  });
  readonly #refusals = new Counter({
    name: "colophon_refusals_total",
    help: "Requests refused, by the code of the problem.",
    labelNames: ["code"],
    registers: [this.#registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
    for (const name of MISNAMED) this.#registry.removeSingleMetric(name);
    // A counter that is there before it first counts shows its first step as one.
    for (const code of Object.keys(REFUSALS)) this.#refusals.inc({ code }, 0);
    for (const outcome of VERDICT_OUTCOMES) this.#verdicts.inc({ outcome }, 0);
  }

  answered({ method, route, status, seconds }: AnsweredRequest): void {
    this.#requests.inc({ method, route, status });
    this.#requestSeconds.observe({ route }, seconds);
  }

  refused(code: string): void {
    this.#refusals.inc({ code });
  }

  stage(stage: string, seconds: number): void {
    this.#stageSeconds.observe({ stage }, seconds);
  }

  verdict(outcome: VerdictOutcome): void {
    this.#verdicts.inc({ outcome });
  }

  /** All of it in the text format of Prometheus. */
  exposition(): Promise<string> {
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** From now on the figure is part of the exposition. */
  add({ name, help, label, read }: Reading): void {
    const collect: CollectFunction<Gauge> = async function () {
      // A figure that cannot be had is left out, and keeps no other one back.
      const figures = await Promise.resolve()
        .then(read)
        .catch(() => null);
      this.reset();
      if (figures === null) this.remove();
      else if (typeof figures === "number") this.set(figures);
      else for (const [value, figure] of Object.entries(figures)) this.set({ [label ?? ""]: value }, figure);
    };
    const labelNames = label === undefined ? [] : [label];
    this.#registry.registerMetric(new Gauge({ name, help, labelNames, registers: [], collect }));
  }
}
