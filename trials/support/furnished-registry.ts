import { isDeepStrictEqual } from "node:util";
import { blake3Hex } from "@colophon/formats";
import { createAccount, type TestAccount } from "@colophon/testing/api-client.ts";
import { derivedPicture } from "@colophon/testing/derived-picture.ts";
import { paintedPicture } from "@colophon/testing/pictures.ts";
import {
  bodyFrame,
  endFrame,
  SequenceClient,
  type TicketedSequence,
} from "@colophon/testing/sequence-client.ts";
import { SlotClient } from "@colophon/testing/slot-client.ts";

const WIDTH = 200;
const HEIGHT = 140;
const LEDGERS = ["custody", "usage"] as const;

/** A registry with something of everything in it, to be asked again after whatever happens to it. Plain data. */
export interface FurnishedRegistry {
  readonly account: TestAccount;
  /** Originals with a record: registered, committed by a slot, frames of a sequence. */
  readonly live: readonly string[];
  readonly takenDown: string;
  /** Look-ups in base64 with the original that each shows, null where it shows none. */
  readonly queries: readonly { readonly picture: string; readonly shows: string | null }[];
  readonly openSlot: string;
  readonly openSequence: TicketedSequence;
}

/** What a registry answers: by the name of the question. */
export type Answers = Readonly<Record<string, unknown>>;

/**
 * @param pictures how many originals it gets beside those of its slot and its sequence, two at least; the last is taken
 * down
 */
export async function furnish(
  baseUrl: string,
  adminToken: string,
  { seed, pictures }: { readonly seed: number; readonly pictures: number },
): Promise<FurnishedRegistry> {
  const grants = { registrations: 10_000, lookups: 10_000, sequencesEnabled: true };
  const account = await createAccount(baseUrl, adminToken, grants);
  const slots = new SlotClient(baseUrl, account.token);
  const sequences = new SequenceClient(baseUrl, account.token);
  let next = seed * 1_000;
  const paint = (): Promise<Uint8Array> => {
    next += 1;
    return paintedPicture(next, WIDTH, HEIGHT);
  };
  const originals: Uint8Array[] = [];
  for (let n = 0; n < pictures; n += 1) originals.push(await paint());
  const manifests = [note('{"creator": "Ünal"}'), { kind: "text", type: "text/plain", bytes: utf8("plain") }];
  let last = "";
  for (const [at, original] of originals.entries()) {
    const { status, body } = await slots.register(original, at % 2 === 0 ? manifests.slice(0, 1) : []);
    expectStatus(status, 200, "a registration");
    last = body.id;
  }
  expectStatus((await slots.takeDown(last)).status, 204, "a take-down");
  const gone = originals.pop() ?? new Uint8Array();

  const bySlot = await paint();
  const done = (await slots.openSlot()).body.slotId;
  await slots.upload(done, [{ bytes: bySlot, manifests: [note("{}")] }]);
  expectStatus((await slots.commit(done)).status, 200, "a slot's commit");
  const frames = [await paint(), await paint()];
  const committed = (await sequences.openSequence({ manifests: [note('{"film": 1}')] })).body;
  const chain = frames.map((frame, at) => bodyFrame(committed, at + 1, frame));
  await sequences.admit(committed, [...chain, endFrame(committed, frames.length + 1)]);
  expectStatus((await sequences.commit(committed)).status, 200, "a sequence's commit");

  const openSlot = (await slots.openSlot()).body.slotId;
  await slots.upload(openSlot, [{ bytes: await paint(), manifests: [note('{"a": 1}')] }]);
  const { sequenceId, ticket } = (await sequences.openSequence()).body;
  await sequences.admit({ sequenceId, ticket }, [bodyFrame({ sequenceId, ticket }, 1, await paint())]);
  const published = [...originals, bySlot, ...frames];
  const shown = await Promise.all(
    published.map(async (original) => query(await derivedPicture(original), blake3Hex(original))),
  );
  return {
    account,
    live: published.map(blake3Hex),
    takenDown: blake3Hex(gone),
    queries: [
      ...shown,
      query(originals[0] ?? gone, blake3Hex(originals[0] ?? gone)),
      query(gone, null),
      query(await paint(), null),
    ],
    openSlot,
    openSequence: { sequenceId, ticket },
  };
}

/**
 * Asks for every record, looks every query up, and reads what is under way and both ledgers. Look-ups are judged as
 * well: one that does not name what it shows is in the answers as `wrong`.
 */
export async function answersOf(
  baseUrl: string,
  adminToken: string,
  registry: FurnishedRegistry,
): Promise<Answers> {
  const { account, live, takenDown, queries, openSlot, openSequence } = registry;
  const slots = new SlotClient(baseUrl, account.token);
  const sequences = new SequenceClient(baseUrl, account.token);
  const answers: Record<string, unknown> = {};
  const keep = (question: string, { status, body }: { status: number; body: unknown }): void => {
    const text = JSON.stringify({ status, body }, (key, value: unknown) =>
      key === "traceId" ? undefined : value,
    );
    answers[question] = JSON.parse(text.replaceAll(baseUrl, ""));
  };
  for (const ledger of LEDGERS) {
    const response = await fetch(`${baseUrl}/admin/accounts/${account.accountId}/${ledger}`, {
      headers: { authorization: `Bearer ${adminToken}` },
    });
    answers[`ledger ${ledger}`] = (await response.text()).split("\n").filter((line) => line !== "");
  }
  for (const hash of [...live, takenDown]) keep(`record ${hash}`, await slots.record(hash));
  keep("slot", await slots.entries(openSlot));
  keep("sequence", await sequences.gaps(openSequence));
  for (const [at, { picture, shows }] of queries.entries()) {
    const { status, body } = await slots.lookUp(Buffer.from(picture, "base64"));
    const named = status === 200 ? body.matchedOriginalImageHashes : null;
    const right = named !== null && (shows === null ? named.length === 0 : named.includes(shows));
    answers[`look-up ${at}`] = right ? { named } : { wrong: true, status, named, shows };
  }
  return answers;
}

/**
 * The questions that a registry answers otherwise than before. Ledgers may have grown: what was in them must be there
 * unchanged.
 */
export function differences(before: Answers, after: Answers): readonly string[] {
  const wrong = Object.entries(after).filter(([, answer]) => isWrong(answer));
  const changed = Object.entries(before).filter(([question, answer]) => {
    const now = after[question];
    const kept = Array.isArray(answer) && Array.isArray(now) ? now.slice(0, answer.length) : now;
    return !isDeepStrictEqual(kept, answer);
  });
  return [...new Set([...wrong, ...changed].map(([question]) => question))].map(
    (question) =>
      `${question}: ${JSON.stringify(before[question])?.slice(0, 300)} -> ${JSON.stringify(after[question])?.slice(0, 300)}`,
  );
}

function isWrong(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "wrong" in answer;
}

function query(picture: Uint8Array, shows: string | null): FurnishedRegistry["queries"][number] {
  return { picture: Buffer.from(picture).toString("base64"), shows };
}

function note(json: string): { kind: string; type: string; bytes: Uint8Array } {
  return { kind: "note", type: "application/json", bytes: utf8(json) };
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function expectStatus(status: number, expected: number, what: string): void {
  if (status !== expected) throw new Error(`The answer to ${what} is ${status}, not ${expected}.`);
}
