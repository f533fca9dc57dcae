import type { Random } from "@colophon/testing/pictures.ts";

/**
 * How the members of a design share: an overlay on each one's own photograph, each one's photograph in one template,
 * other content in one printed form, or pages of other content around one photograph.
 */
export type Family = "overlay" | "template" | "printed" | "shared-photograph";

/** What one member is filled with. */
export interface Filling {
  /** Draws what the member says. */
  readonly random: Random;
  /**
   * Data URIs: as many as the design takes, the first the member's own or, of a printed form and in a shared
   * photograph's family, the shared one.
   */
  readonly photographs: readonly string[];
}

/** A design with its layout, letters and colours drawn. */
export interface Sheet {
  readonly width: number;
  readonly height: number;
  /**
   * Width by height of the window of the first photograph; null without one, or where each member has one of another
   * shape.
   */
  readonly window: number | null;
  /** One member as SVG. */
  readonly member: (filling: Filling) => string;
  /** The same without the picture that was drawn for all members; left out where there is none. */
  readonly withoutPicture?: (filling: Filling) => string;
}

/** A kind of design. Each draw of it has another layout, font, colour and script. */
export interface Design {
  readonly name: string;
  readonly family: Family;
  /** Photographs that a member takes. */
  readonly photographs: number;
  readonly draw: (random: Random) => Sheet;
}
