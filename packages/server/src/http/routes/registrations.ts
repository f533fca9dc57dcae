import { registerImage } from "../../registry/register-image.ts";
import type { Services } from "../../registry/services.ts";
import { takeDown } from "../../registry/take-down.ts";
import { NO_CONTENT, ok } from "../answer.ts";
import { type AccountHandlers, param } from "../call.ts";
import { readSubmission } from "../read-submission.ts";

type Needs = Pick<Services, "config" | "database" | "intents" | "engine" | "keys" | "pixels">;

/** `POST /registrations`, `DELETE /registrations/{registrationId}`. */
export function registrationRoutes(needs: Needs): AccountHandlers {
  return {
    createRegistration: async ({ account, request }) => {
      needs.engine.assertConfigured();
      using submission = await readSubmission(request, needs.config, needs.pixels);
      return ok(await registerImage(needs, account.account_id, submission));
    },
    deleteRegistration: async (call) => {
      needs.engine.assertConfigured();
      await takeDown(needs, call.account.account_id, param(call, "registrationId"));
      return NO_CONTENT;
    },
  };
}
