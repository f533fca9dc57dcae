import { Client } from "pg";
import { ApiClient } from "@colophon/testing/api-client.ts";
import { processorMs } from "@colophon/testing/process/processor-time.ts";
import { postmasterPid } from "@colophon/testing/service-process.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { imageMaker } from "@colophon/testing/test-pictures.ts";
import { exchange } from "../hostile/exchange.ts";
import { TrialService } from "../support/trial-service.ts";
import type { Reproduction } from "./reproduction.ts";

const EMPTY_PARTS = 2_000;
const MOST_EMPTY_PARTS_MS = 2_000;
const TOGETHER = 4;

/** An operator's route under another spelling of its address. */
export const escapedAddress: Reproduction = {
  name: "escaped-address",
  defect: "an escaped address gives an operator's route the headers for other origins",
  run: async () => {
    await using service = await TrialService.start({ COLOPHON_ALLOWED_ORIGINS: "https://elsewhere.example" });
    const headers = { origin: "https://elsewhere.example", authorization: `Bearer ${service.adminToken}` };
    const response = await fetch(`${service.baseUrl}/%61dmin/accounts`, { headers });
    const allowed = response.headers.get("access-control-allow-origin");
    await response.arrayBuffer();
    return {
      holds: allowed === null,
      happens: `${response.status}, access-control-allow-origin: ${allowed ?? "none"}`,
    };
  },
};

/** Requests that Node answers before a handler sees them. */
export const bareRefusals: Reproduction = {
  name: "bare-refusals",
  defect: "a request without Host and CONNECT are not answered in the envelope",
  run: async () => {
    await using service = await TrialService.start();
    const said: string[] = [];
    let holds = true;
    for (const head of ["GET /health HTTP/1.1", "CONNECT elsewhere:443 HTTP/1.1\r\nHost: elsewhere:443"]) {
      const bytes = Buffer.from(`${head}\r\n\r\n`);
      const answer = await exchange(service.baseUrl, { bytes, route: null, framed: true, label: head });
      const enveloped = answer.outcome === "answered" && answer.type === "application/problem+json";
      holds &&= enveloped && answer.body !== "";
      const how =
        answer.outcome === "answered" ? `${answer.status} as ${answer.type || "nothing"}` : answer.outcome;
      said.push(`${head.split(" ")[0]}: ${how}`);
    }
    return { holds, happens: said.join("; ") };
  },
};

/** A request of two thousand empty images. */
export const emptyParts: Reproduction = {
  name: "empty-parts",
  defect: "empty image parts occupy a request for long and leave rows for good, uncharged",
  run: async () => {
    await using service = await TrialService.start();
    const client = new SlotClient(service.baseUrl, (await service.account()).token);
    const { slotId } = (await client.openSlot()).body;
    const used = (): Promise<number> => processorMs(service.process.pid, postmasterPid(service.dataDir));
    const before = { used: await used(), rows: await custodyRows(service) };
    const images = Array.from({ length: EMPTY_PARTS }, () => ({ bytes: new Uint8Array(0) }));
    const { status } = await client.upload(slotId, images);
    const [ms, rows] = [(await used()) - before.used, (await custodyRows(service)) - before.rows];
    return {
      holds: rows === 0 && ms <= MOST_EMPTY_PARTS_MS,
      happens: `${EMPTY_PARTS} parts: ${status}, ${(ms / 1_000).toFixed(1)} s of processor time, ${rows} custody rows`,
    };
  },
};

async function custodyRows(service: TrialService): Promise<number> {
  const client = new Client(service.connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>("select count(*)::int as count from custody_row");
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}

/** The same bytes registered four times at once by one account. */
export const sameBytesAtOnce: Reproduction = {
  name: "same-bytes-at-once",
  defect: "the same bytes registered at once are called a derivative of themselves",
  run: async (seed) => {
    await using service = await TrialService.start();
    const client = new ApiClient(service.baseUrl, (await service.account()).token);
    const image = imageMaker(seed);
    const said: Record<string, number> = {};
    for (let round = 0; round < 6; round += 1) {
      const bytes = await image();
      const replies = await Promise.all(Array.from({ length: TOGETHER }, () => client.register(bytes)));
      for (const { status, body } of replies) {
        const what = "detail" in body ? `${status} ${String(body.detail)}` : String(status);
        said[what] = (said[what] ?? 0) + 1;
      }
    }
    const expected = ["200", "409 This image is already registered."];
    const holds = said["200"] === 6 && Object.keys(said).every((what) => expected.includes(what));
    return {
      holds,
      happens: Object.entries(said)
        .map(([what, count]) => `${count} x ${what}`)
        .join("; "),
    };
  },
};
