/**
 * Two service processes on one database, and commands on one slot sent to both at the same moment: exactly one wins,
 * the other is told so, and everything adds up afterwards. The sweeps run all the while.
 *
 *     node trials/races/slots.ts [--rounds 200] [--lanes 4] [--seed 1]
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ERRATA_REASONS, IMAGE_REJECTIONS } from "@colophon/contract";
import { Client } from "pg";
import type { DatabaseAddress } from "../../packages/server/src/store/database.ts";
import { type Random, seededRandom } from "@colophon/testing/pictures.ts";
import { createAccount, type Reply } from "@colophon/testing/api-client.ts";
import { imageHash, type ImageMaker, imageMaker } from "@colophon/testing/test-pictures.ts";
import { embeddedDatabase, serviceEnvironment, ServiceProcess } from "@colophon/testing/service-process.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";
import { runTrial } from "../support/run-trial.ts";
import { auditSettled } from "../support/registry-audit.ts";

const MANY = 1_000_000;

/** What a run saw; `breaches` must be empty. */
export interface SlotRaceReport {
  readonly rounds: number;
  /** How often each outcome of each race came. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly breaches: readonly string[];
}

/** What a race works with: the same account in two processes, images nobody has, and chance. */
interface Lane {
  readonly first: SlotClient;
  readonly second: SlotClient;
  readonly image: ImageMaker;
  readonly random: Random;
  readonly database: Client;
  /** How long the last upload took: what a race with one is timed by. */
  uploadMs: number;
}

/** One race: runs it, and returns which outcome it had; throws when it had none that is allowed. */
type Race = (lane: Lane) => Promise<string>;

/** Runs `rounds` rounds of every race on `lanes` accounts at once. */
export async function runSlotRaces(options: {
  readonly rounds: number;
  readonly lanes: number;
  readonly seed: number;
}): Promise<SlotRaceReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "colophon-slot-races-"));
  const adminToken = randomBytes(24).toString("base64url");
  const environment = { ...serviceEnvironment(dataDir, adminToken), COLOPHON_SWEEP_SECONDS: "0.05" };
  const address = embeddedDatabase(dataDir);
  const outcomes = new Map<string, number>();
  const breaches: string[] = [];
  try {
    await using stack = new AsyncDisposableStack();
    const first = stack.use(await ServiceProcess.start(environment));
    const second = stack.use(await ServiceProcess.start(environment));
    const client = new Client(address);
    await client.connect();
    stack.defer(() => client.end());
    let left = options.rounds;
    const work = async (at: number): Promise<void> => {
      const { token } = await createAccount(first.baseUrl, adminToken, {
        registrations: MANY,
        lookups: MANY,
      });
      const lane: Lane = {
        first: new SlotClient(first.baseUrl, token),
        second: new SlotClient(second.baseUrl, token),
        image: imageMaker(options.seed * 1_000 + at),
        random: seededRandom(options.seed * 1_000 + at),
        database: client,
        uploadMs: 100,
      };
      while (left > 0) {
        left -= 1;
        for (const [name, race] of Object.entries(RACES)) {
          try {
            const outcome = `${name}: ${await race(lane)}`;
            outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
          } catch (error) {
            breaches.push(`broken: ${name} (${error instanceof Error ? error.message : String(error)})`);
          }
        }
      }
    };
    await Promise.all(Array.from({ length: options.lanes }, (_, at) => work(at)));
    breaches.push(...(await settledBreaches(dataDir, address)));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  return {
    rounds: options.rounds,
    outcomes: Object.fromEntries([...outcomes].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    breaches,
  };
}

/** What is broken once the sweeps have had time to settle the rest. */
function settledBreaches(dataDir: string, address: DatabaseAddress): Promise<string[]> {
  return auditSettled(address, async (database) => {
    const files = (await readdir(join(dataDir, "queries"))).filter((name) => name !== "pool-id");
    const { count } = await database
      .selectFrom("pooledQuery")
      .select((row) => row.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    return files.length === count ? [] : [`${files.length} pooled files for ${count} rows`];
  });
}

const RACES: Readonly<Record<string, Race>> = {
  "commit/commit": async (lane) => {
    const slotId = await slotWith(lane, 2);
    const replies = await Promise.all([lane.first.commit(slotId), lane.second.commit(slotId)]);
    expectStatuses(replies, [[200, 409]]);
    const states = await statesIn(lane, slotId);
    assert(states.join() === "registered,registered", `entries are ${states.join()}`);
    return replies[0].status === 200 ? "first" : "second";
  },
  "commit/upload": async (lane) => {
    const slotId = await slotWith(lane, 1);
    const image = await lane.image();
    const committing = sleep(1.5 * lane.uploadMs * lane.random()).then(() => lane.first.commit(slotId));
    const [commit, upload] = await Promise.all([committing, lane.second.upload(slotId, [{ bytes: image }])]);
    assert(commit.status === 200, `commit answers ${commit.status}`);
    const isIn = commit.body.entries.some((entry) => entry.imageHash === imageHash(image));
    if (upload.status === 409) {
      assert(!isIn, "an upload was refused and registered");
      return "refused";
    }
    const accepted = upload.status === 200 && upload.body.outcomes[0]?.accepted === true;
    assert(upload.status === 200 && accepted === isIn, `accepted ${accepted}, registered ${isIn}`);
    return accepted ? "registered" : "rejected";
  },
  "commit/abandon": async (lane) => {
    const slotId = await slotWith(lane, 1);
    const replies = await Promise.all([lane.first.commit(slotId), lane.second.abandon(slotId)]);
    expectStatuses(
      replies,
      [
        [200, 409],
        [404, 204],
      ],
      { ordered: true },
    );
    const after = (await lane.first.slot(slotId)).status;
    assert(after === (replies[0].status === 200 ? 200 : 404), `the slot then answers ${after}`);
    return replies[0].status === 200 ? "committed" : "abandoned";
  },
  "commit/expiry": async (lane) => {
    const slotId = await slotWith(lane, 1);
    await lane.database.query(
      "update slot set expires_at = clock_timestamp() + make_interval(secs => $2) where slot_id = $1",
      [slotId, 0.1 * lane.random()],
    );
    await sleep(100 * lane.random());
    const commit = await lane.first.commit(slotId);
    const after = await lane.second.progress(slotId);
    assert(
      commit.status === after.status && (commit.status === 200 || commit.status === 404),
      `commit answers ${commit.status}, then ${after.status}`,
    );
    if (commit.status === 200) assert(commit.body.entries[0]?.state === "registered", "it did not register");
    return commit.status === 200 ? "committed" : "expired";
  },
  "upload/upload": async (lane) => {
    const slotId = await slotWith(lane, 0);
    const posted = [{ bytes: await lane.image() }];
    const replies = await Promise.all([
      lane.first.upload(slotId, posted),
      lane.second.upload(slotId, posted),
    ]);
    assert(
      replies.every(({ body }) => body.outcomes[0]?.accepted === true),
      "an upload was not accepted",
    );
    const { entryCount } = (await lane.first.slot(slotId)).body;
    assert(entryCount === 1, `the slot has ${entryCount} entries`);
    assert((await lane.first.abandon(slotId)).status === 204, "the slot could not be abandoned");
    return "one entry";
  },
  "registration/upload of one image": async (lane) => {
    const slotId = await slotWith(lane, 0);
    const image = await lane.image();
    const registering = sleep(lane.uploadMs * lane.random()).then(() => lane.first.register(image));
    const uploading = sleep(lane.uploadMs * lane.random()).then(() =>
      lane.second.upload(slotId, [{ bytes: image }]),
    );
    const [registration, upload] = await Promise.all([registering, uploading]);
    assert(registration.status === 200, `registration answers ${registration.status}`);
    const outcome = upload.body.outcomes[0];
    if (outcome?.accepted !== true) {
      const { alreadyRegistered } = IMAGE_REJECTIONS;
      assert(outcome?.rejectionReason === alreadyRegistered, `it is refused: ${outcome?.rejectionReason}`);
      assert(outcome.registrationId === registration.body.id, "it names another registration");
      return "refused";
    }
    const [entry] = (await lane.second.commit(slotId)).body.entries;
    const { alreadyRegistered } = ERRATA_REASONS;
    assert(entry?.failureReason === alreadyRegistered, `it is ${entry?.state}: ${entry?.failureReason}`);
    return "errata";
  },
  "commit/commit of one image in two slots": async (lane) => {
    const image = await lane.image();
    const slots = [await slotWith(lane, 0), await slotWith(lane, 0)] as const;
    for (const slotId of slots) await lane.first.upload(slotId, [{ bytes: image }]);
    const replies = await Promise.all([lane.first.commit(slots[0]), lane.second.commit(slots[1])]);
    const states = replies.map(({ body }) => body.entries[0]?.state);
    const isSplit = states.includes("errata") && states.includes("registered");
    assert(isSplit, `the entries are ${states.join()}`);
    const [winner, loser] = states[0] === "registered" ? replies : replies.toReversed();
    assert(
      winner?.body.entries[0]?.registrationId === loser?.body.entries[0]?.registrationId,
      "errata names another registration",
    );
    return states[0] === "registered" ? "first" : "second";
  },
  "remove/commit": async (lane) => {
    const slotId = await slotWith(lane, 1);
    const hash = (await lane.first.entries(slotId)).body.entries[0]?.imageHash ?? "";
    const replies = await Promise.all([lane.first.commit(slotId), lane.second.removeEntry(slotId, hash)]);
    expectStatuses(
      replies,
      [
        [200, 409],
        [200, 204],
      ],
      { ordered: true },
    );
    const registered = replies[0].body.entries.length;
    assert(
      (replies[1].status === 204) === (registered === 0),
      `removal ${replies[1].status}, ${registered} registered`,
    );
    return registered === 1 ? "registered" : "removed";
  },
  "look-up commit/commit": async (lane) => {
    const slotId = await lookupSlotWith(lane, 2);
    const replies = await Promise.all([lane.first.commitLookup(slotId), lane.second.commitLookup(slotId)]);
    expectStatuses(replies, [[200, 409]]);
    return replies[0].status === 200 ? "first" : "second";
  },
  "look-up commit/upload": async (lane) => {
    const slotId = await lookupSlotWith(lane, 1);
    const image = await lane.image();
    const committing = sleep(lane.uploadMs * lane.random()).then(() => lane.first.commitLookup(slotId));
    const [commit, upload] = await Promise.all([
      committing,
      lane.second.uploadQueries(slotId, [{ bytes: image }]),
    ]);
    assert(commit.status === 200, `commit answers ${commit.status}`);
    const isIn = commit.body.queries.some((query) => query.imageHash === imageHash(image));
    const accepted = upload.status === 200 && upload.body.outcomes[0]?.accepted === true;
    assert(
      accepted === isIn && (upload.status === 200 || upload.status === 409),
      `accepted ${accepted}, answered ${isIn}`,
    );
    return accepted ? "answered" : "refused";
  },
  "look-up commit/abandon": async (lane) => {
    const slotId = await lookupSlotWith(lane, 1);
    const replies = await Promise.all([lane.first.commitLookup(slotId), lane.second.abandonLookup(slotId)]);
    expectStatuses(
      replies,
      [
        [200, 409],
        [404, 204],
      ],
      { ordered: true },
    );
    return replies[0].status === 200 ? "committed" : "abandoned";
  },
  "look-up remove/commit": async (lane) => {
    const slotId = await lookupSlotWith(lane, 1);
    const hash = (await lane.first.queries(slotId)).body.entries[0]?.imageHash ?? "";
    const replies = await Promise.all([
      lane.first.commitLookup(slotId),
      lane.second.removeQuery(slotId, hash),
    ]);
    const answered = replies[0].body.queries?.length;
    assert(
      (replies[1].status === 204) === (answered === 0),
      `removal ${replies[1].status}, ${answered} answered`,
    );
    return answered === 1 ? "answered" : "removed";
  },
};

async function slotWith(lane: Lane, images: number): Promise<string> {
  const { first, image } = lane;
  const opened = await first.openSlot();
  assert(opened.status === 201, `a slot opens with ${opened.status}`);
  const { slotId } = opened.body;
  for (let n = 0; n < images; n += 1) {
    const bytes = await image();
    const began = performance.now();
    const { status, body } = await first.upload(slotId, [{ bytes }]);
    lane.uploadMs = performance.now() - began;
    assert(
      status === 200 && body.outcomes[0]?.accepted === true,
      `no image is held: ${JSON.stringify(body)}`,
    );
  }
  return slotId;
}

async function lookupSlotWith({ first, image }: Lane, images: number): Promise<string> {
  const opened = await first.openLookupSlot();
  assert(opened.status === 201, `a slot opens with ${opened.status}`);
  const { lookupSlotId } = opened.body;
  for (let n = 0; n < images; n += 1) {
    const { status } = await first.uploadQueries(lookupSlotId, [{ bytes: await image() }]);
    assert(status === 200, `no query is held (${status})`);
  }
  return lookupSlotId;
}

async function statesIn({ first }: Lane, slotId: string): Promise<readonly string[]> {
  return (await first.progress(slotId)).body.entries.map((entry) => entry.state);
}

function expectStatuses(
  replies: readonly Reply<unknown>[],
  allowed: readonly (readonly number[])[],
  { ordered = false }: { ordered?: boolean } = {},
): void {
  const of = (statuses: readonly number[]): string =>
    (ordered ? statuses : statuses.toSorted((a, b) => a - b)).join();
  const seen = of(replies.map((reply) => reply.status));
  assert(
    allowed.some((statuses) => of(statuses) === seen),
    `the answers are ${seen}`,
  );
}

function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

if (import.meta.main) await runTrial({ rounds: 200, lanes: 4, seed: 1 }, runSlotRaces);
