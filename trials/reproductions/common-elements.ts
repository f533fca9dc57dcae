import { runBlocking } from "../blocking.ts";
import type { Reproduction } from "./reproduction.ts";

const PICTURES = 4;
const ELEMENTS = ["licence badge", "square code", "status bar, middle"] as const;

/** Badges, codes, bars and crops of others' pictures, registered by somebody before the pictures are. */
export const commonElements: Reproduction = {
  name: "common-elements",
  defect: "registering what others' pictures contain refuses their registrations",
  run: async (seed) => {
    const { carriers, breaches } = await runBlocking({
      photographs: null,
      count: PICTURES,
      shares: [0.03, 0.1],
      elements: ELEMENTS,
      parts: [4],
      seed,
    });
    const refused = Object.entries(carriers).map(
      ([carried, { asked, registered }]) => `${carried}: ${asked - registered} of ${asked} refused`,
    );
    const [first = "derivatives are still refused"] = breaches;
    return { holds: breaches.length === 0, happens: `${refused.join("; ")}; ${first}` };
  },
};
