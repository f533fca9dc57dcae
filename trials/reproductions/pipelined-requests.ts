import { KeepAliveClient, type PreparedRequest } from "@colophon/testing/keep-alive-client.ts";
import { RawConnection } from "@colophon/testing/raw-connection.ts";
import { TrialService } from "../support/trial-service.ts";
import type { Outcome, Reproduction } from "./reproduction.ts";

const AT_ONCE = 20_000;
const CALLS = 10;
const MOST_TIMES = 3;
const SLACK_MS = 300;
const HAMMERING = 60;

/** Twenty thousand requests with an unknown token on one connection. */
export const pipelinedWithoutToken: Reproduction = {
  name: "pipelined-unknown-token",
  defect: "without any token, one connection holds everybody up",
  run: async () => beside(async () => "clp_nobody-has-this-token"),
};

/** The same from an account without any grant. */
export const pipelinedWithoutGrant: Reproduction = {
  name: "pipelined-no-grant",
  defect: "an account without a grant holds everybody up on one connection",
  run: async () => beside(async (service) => (await service.account({ registrations: 0, lookups: 0 })).token),
};

/** Sixty keep-alive clients of one account. */
export const hammeredStats: Reproduction = {
  name: "hammered-stats",
  defect: "counting one account's calls slows the others' down",
  run: async () => {
    await using service = await TrialService.start();
    const stats = statsOf((await service.account()).token);
    const attack = statsOf((await service.account()).token);
    using client = new KeepAliveClient(service.baseUrl, 1);
    const alone = await median(client, stats);
    const state = { over: false, calls: 0 };
    using many = new KeepAliveClient(service.baseUrl, HAMMERING);
    const began = performance.now();
    const hammering = Array.from({ length: HAMMERING }, async () => {
      while (!state.over) {
        await many.send(attack);
        state.calls += 1;
      }
    });
    const slow = await median(client, stats);
    state.over = true;
    await Promise.all(hammering);
    const rate = (1_000 * state.calls) / (performance.now() - began);
    return judged(alone, slow, `${HAMMERING} clients, ${rate.toFixed()} calls a second`);
  },
};

async function beside(tokenOf: (service: TrialService) => Promise<string>): Promise<Outcome> {
  await using service = await TrialService.start();
  const stats = statsOf((await service.account()).token);
  using client = new KeepAliveClient(service.baseUrl, 1);
  const alone = await median(client, stats);
  using connection = await RawConnection.open(service.baseUrl);
  const request = `GET /account/stats HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${await tokenOf(service)}\r\n\r\n`;
  connection.write(Buffer.from(request.repeat(AT_ONCE)));
  const slowest = Math.max(...(await times(client, stats)));
  return judged(alone, slowest, `${AT_ONCE} requests at once`);
}

function statsOf(token: string): PreparedRequest {
  return { method: "GET", path: "/account/stats", headers: { authorization: `Bearer ${token}` } };
}

async function times(client: KeepAliveClient, request: PreparedRequest): Promise<number[]> {
  const taken: number[] = [];
  for (let call = 0; call < CALLS; call += 1) taken.push((await client.send(request)).milliseconds);
  return taken;
}

async function median(client: KeepAliveClient, request: PreparedRequest): Promise<number> {
  return (await times(client, request)).toSorted((a, b) => a - b)[CALLS / 2] ?? 0;
}

function judged(alone: number, slow: number, what: string): Outcome {
  return {
    holds: slow <= MOST_TIMES * alone + SLACK_MS,
    happens: `${what}: another account's figures take ${slow.toFixed()} ms (alone ${alone.toFixed(1)})`,
  };
}
