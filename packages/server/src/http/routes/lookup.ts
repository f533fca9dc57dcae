import { inspectionOf } from "../../registry/lookups/inspection.ts";
import { type Answering, assertCanLookUp, lookUpImage, verdictOf } from "../../registry/lookups/look-up.ts";
import type { Services } from "../../registry/services.ts";
import { ok } from "../answers/answer.ts";
import { type AccountCall, type AccountHandlers, type Handler } from "../call.ts";
import { readQuery } from "../body/read-query.ts";
import { assertNoQueryString } from "../query-parameters.ts";

type Needs = Pick<Services, "config" | "database" | "intents" | "engine" | "disk" | "anonymousTurns">;

/** `POST /lookup`, `POST /inspect`. */
export function lookupRoutes(needs: Needs): AccountHandlers<"Look-up"> {
  return {
    lookUp: answeringQuery(needs, (read, accountId, { matches }) => verdictOf(read, accountId, matches)),
    inspect: answeringQuery(needs, inspectionOf),
  };
}

function answeringQuery(needs: Needs, answering: Answering<object>): Handler<AccountCall> {
  return async (call) => {
    needs.engine.assertConfigured();
    assertNoQueryString(call);
    needs.disk.assertRoomToLedger();
    const parts = call.body.parts(needs.config.maxRequestBytes);
    assertCanLookUp(call.account, call.slots);
    using image = await readQuery(parts, needs.config, call.body.hold);
    return ok(await lookUpImage(needs, call.account.accountId, image, answering));
  };
}
