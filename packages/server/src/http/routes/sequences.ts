import { refuse } from "@colophon/contract";
import { MAX_FRAME_ID } from "@colophon/formats";
import * as sequences from "../../registry/sequences/change-sequence.ts";
import { admitFrames } from "../../registry/sequences/admit-frames.ts";
import { commitSequence } from "../../registry/sequences/commit-sequence.ts";
import { openSequence } from "../../registry/sequences/open-sequence.ts";
import { mintGaps, reportSequence, sequenceResults } from "../../registry/sequences/read-sequence.ts";
import { isSequenceTicket } from "../../registry/sequences/sequence-ticket.ts";
import type { Services } from "../../registry/services.ts";
import type { SequenceRef } from "../../store/sequences/sequences.ts";
import { type Answer, created, NO_CONTENT, ok } from "../answers/answer.ts";
import { type AccountCall, type AccountHandlers, param } from "../call.ts";
import { readFrames } from "../body/read-frames.ts";
import { fieldsOf, readJson } from "../body/read-json.ts";
import { positiveSize, readSequenceOpening } from "../body/read-sequence-opening.ts";

const TICKET_HEADER = "x-sequence-ticket";
/** Bytes of a body that states a size. */
const SIZE_LIMIT = 65_536;

/** Every route under `/sequences`. */
export function sequenceRoutes(needs: Services): AccountHandlers<"Sequences"> {
  const { config, database, keys } = needs;
  const ticketed =
    (handler: (call: AccountCall, ref: SequenceRef) => Promise<Answer>) =>
    async (call: AccountCall): Promise<Answer> => {
      assertEnabled(call);
      return handler(call, ticketedSequence(call, keys.ticketKey));
    };
  return {
    openSequence: async (call) => {
      assertEnabled(call);
      const opening = await readSequenceOpening(call.body, config);
      return created(await openSequence(needs, call.account.accountId, opening));
    },
    admitFrames: ticketed(async ({ account, body }, ref) => {
      needs.engine.assertConfigured();
      const { sequenceId } = ref;
      const rules = {
        sequenceId,
        acceptedTypes: config.acceptedTypes,
        maxRequestBytes: account.maxRequestBytes,
      };
      return created(await admitFrames(needs, ref, readFrames(body, rules), body.hold));
    }),
    removeFrame: ticketed(async (call, ref) => {
      await sequences.removeFrame(needs, ref, frameIdOf(param(call, "frameId")));
      return NO_CONTENT;
    }),
    commitSequence: ticketed(async ({ body }, ref) => {
      needs.engine.assertConfigured();
      return ok(await commitSequence(needs, ref, body.hold));
    }),
    getSequenceGaps: ticketed(async ({ body }, ref) => ok(await mintGaps(database, ref, body.hold))),
    getSequenceProgress: ticketed(async ({ body }, ref) =>
      ok(await reportSequence(database, ref, body.hold)),
    ),
    getSequenceResults: ticketed(async (_call, ref) => ok(await sequenceResults(database, ref))),
    setExpectedSize: ticketed(async ({ body }, ref) => {
      const stated = await readJson(body, Math.min(SIZE_LIMIT, config.maxRequestBytes));
      const { expectedSize } = fieldsOf(stated, ["expectedSize"]);
      await sequences.setExpectedSize(needs, ref, positiveSize(expectedSize));
      return NO_CONTENT;
    }),
    abandonSequence: ticketed(async (_call, ref) => ok(await sequences.abandonSequence(needs, ref))),
  };
}

function assertEnabled({ account }: AccountCall): void {
  if (!account.sequencesEnabled) throw refuse("sequencesNotEnabled");
}

/** The sequence of the path, once the caller's ticket has been found to be its ticket. */
function ticketedSequence(call: AccountCall, key: Buffer): SequenceRef {
  const ref = { accountId: call.account.accountId, sequenceId: param(call, "sequenceId") };
  if (!isSequenceTicket(key, ref, String(call.request.headers[TICKET_HEADER] ?? ""))) {
    throw refuse("sequenceTicketRefused");
  }
  return ref;
}

/** A frame id as a path names it; null for a text that is none. */
function frameIdOf(text: string): number | null {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : MAX_FRAME_ID + 1;
  return id <= MAX_FRAME_ID ? id : null;
}
