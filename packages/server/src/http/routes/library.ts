import { refuse } from "@colophon/contract";
import { isUuid } from "@colophon/formats";
import * as library from "../../registry/library/library.ts";
import type { Services } from "../../registry/services.ts";
import type { LibraryPosition, LibraryQuery } from "../../store/originals/library.ts";
import { ok } from "../answers/answer.ts";
import { declaredHash } from "../body/declared-hashes.ts";
import { type AccountCall, type AccountHandlers, param } from "../call.ts";
import { countOf, queryParameters } from "../query-parameters.ts";

const PAGE = { otherwise: 50, most: 200, detail: "badLimit" } as const;

/** Every route under `/library`. */
export function libraryRoutes({ database }: Pick<Services, "database">): AccountHandlers<"Library"> {
  return {
    listRegistrations: async (call) => {
      const { accountId } = call.account;
      const { registrations, next } = await library.listRegistrations(database, accountId, queryOf(call));
      return ok({ registrations, next: next && cursorOf(next) });
    },
    getLibraryRegistration: async (call) =>
      ok(await library.reportRegistration(database, call.account.accountId, param(call, "registrationId"))),
    listSlots: async ({ account }) => ok(await library.listSlots(database, account.accountId)),
    listLookupSlots: async ({ account }) => ok(await library.listLookupSlots(database, account.accountId)),
    listSequences: async ({ account, body }) =>
      ok(await library.listSequences(database, account.accountId, body.hold)),
  };
}

/** @throws Refusal malformedRequest, invalidDeclaredHash */
function queryOf(call: AccountCall): LibraryQuery {
  const sent = queryParameters(call, ["after", "limit", "imageHash", "originalImageHash"]);
  return {
    limit: countOf(sent.limit, PAGE),
    after: positionOf(sent.after),
    imageHash: hashOf(sent.imageHash),
    originalImageHash: hashOf(sent.originalImageHash),
  };
}

function hashOf(sent: string | undefined): Buffer | null {
  return sent === undefined ? null : Buffer.from(declaredHash(sent), "hex");
}

/** A cursor names the last registration of its page: the time in milliseconds and the id. */
function cursorOf({ registeredAt, registrationId }: LibraryPosition): string {
  return Buffer.from(`${registeredAt.getTime()}.${registrationId}`).toString("base64url");
}

function positionOf(sent: string | undefined): LibraryPosition | null {
  if (sent === undefined) return null;
  const [, time = "", registrationId = ""] =
    /^([0-9]{1,14})\.(.*)$/.exec(Buffer.from(sent, "base64url").toString()) ?? [];
  const position = { registeredAt: new Date(Number(time)), registrationId };
  if (time === "" || !isUuid(registrationId) || cursorOf(position) !== sent) {
    throw refuse("malformedRequest", "badCursor");
  }
  return position;
}
