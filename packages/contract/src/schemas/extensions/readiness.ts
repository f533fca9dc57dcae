import { Type } from "typebox";
import { UNREADINESS } from "../../unreadiness.ts";
import { resource } from "../values.ts";

export const Readiness = resource(
  "Whether this process can answer requests; `reasons` says why not, and comes with a 503.",
  {
    ready: Type.Boolean({ description: "Whether to send requests here." }),
    reasons: Type.Optional(
      Type.Array(Type.Enum([...UNREADINESS], { type: "string" }), {
        minItems: 1,
        description:
          "`databaseAway`: it gives no answer within a second; `engineDown`: no worker is alive; " +
          "`diskReserveUsedUp`: less of the disk is free than the deployment keeps free; " +
          "`stopping`: it was told to stop, and still answers for a moment.",
      }),
    ),
  },
  { ready: true },
  { ready: false, reasons: ["databaseAway"] },
);
export type Readiness = Type.Static<typeof Readiness>;
