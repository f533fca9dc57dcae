import { Type } from "typebox";
import { count, resource } from "./values.ts";

export const Grant = resource(
  "A lifetime grant and its use.",
  {
    grant: count("Units granted."),
    consumed: count("Units spent."),
    held: count("Units reserved by what open slots hold; not taken off `remaining`."),
    remaining: count("Grant less consumed."),
  },
  { grant: 1000, consumed: 120, held: 4, remaining: 880 },
);
export type Grant = Type.Static<typeof Grant>;

export const AccountStats = resource(
  "The caller's grants and use.",
  {
    registrations: Grant,
    lookups: Grant,
    callCount: Type.Integer({
      minimum: 0,
      format: "int64",
      description: "Every authenticated call the account ever made.",
    }),
  },
  {
    registrations: { grant: 1000, consumed: 120, held: 4, remaining: 880 },
    lookups: { grant: 5000, consumed: 431, held: 0, remaining: 4569 },
    callCount: 977,
  },
);
export type AccountStats = Type.Static<typeof AccountStats>;
