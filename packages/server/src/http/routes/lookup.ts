import { refuse } from "@colophon/contract";
import { lookUpImage } from "../../registry/look-up.ts";
import type { Services } from "../../registry/services.ts";
import { ok } from "../answer.ts";
import { type AccountHandlers, hasQueryString } from "../call.ts";
import { readQuery } from "../read-query.ts";

type Needs = Pick<Services, "config" | "database" | "intents" | "engine" | "pixels">;

/** `POST /lookup`. */
export function lookupRoutes(needs: Needs): AccountHandlers {
  return {
    lookUp: async (call) => {
      needs.engine.assertConfigured();
      if (hasQueryString(call)) throw refuse("malformedRequest", "queryString");
      using image = await readQuery(call.request, needs.config, needs.pixels);
      return ok(await lookUpImage(needs, call.account.account_id, image));
    },
  };
}
