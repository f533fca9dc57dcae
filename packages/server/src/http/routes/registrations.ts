import { assertCanRegister, registerImage } from "../../registry/registrations/register-image.ts";
import type { Services } from "../../registry/services.ts";
import { takeDown } from "../../registry/registrations/take-down.ts";
import { NO_CONTENT, ok } from "../answers/answer.ts";
import { type AccountHandlers, param } from "../call.ts";
import { readSubmission } from "../body/read-submission.ts";

type Needs = Pick<Services, "config" | "database" | "intents" | "engine" | "keys" | "disk">;

/** `POST /registrations`, `DELETE /registrations/{registrationId}`. */
export function registrationRoutes(needs: Needs): AccountHandlers<"Registrations"> {
  return {
    createRegistration: async ({ account, slots, body }) => {
      needs.engine.assertConfigured();
      needs.disk.assertRoomToStore();
      const parts = body.parts(needs.config.maxRequestBytes);
      assertCanRegister(needs, account, slots);
      using submission = await readSubmission(parts, needs.config, body.hold);
      return ok(await registerImage(needs, account.accountId, submission));
    },
    deleteRegistration: async (call) => {
      needs.engine.assertConfigured();
      await takeDown(needs, call.account.accountId, param(call, "registrationId"));
      return NO_CONTENT;
    },
  };
}
