import { Type } from "typebox";
import { EXAMPLE } from "../examples.ts";
import { hash, nullable, oneOf, resource, uuid } from "../values.ts";

const pixels = (description: string): Type.TInteger => Type.Integer({ description, minimum: 1 });

const Corner = Type.Unsafe<[x: number, y: number]>({
  type: "array",
  items: { type: "number", minimum: 0 },
  minItems: 2,
  maxItems: 2,
  description:
    "Across and down from the upper left corner, pixels; a whole picture is [0, 0] to [width, height].",
});

const polygon = (description: string): Type.TUnion<[Type.TArray<typeof Corner>, Type.TNull]> =>
  nullable(Type.Array(Corner, { description, minItems: 3, maxItems: 8 }));

const OwnRegistration = Type.Object(
  { kind: Type.Literal("registration"), registrationId: uuid("The registration's id.") },
  { additionalProperties: false, description: "A registration of the caller's." },
);

const OwnFrame = Type.Object(
  {
    kind: Type.Literal("frame"),
    sequenceId: uuid("The sequence's id."),
    frameId: Type.Integer({ minimum: 0, maximum: 4294967294, description: "The frame's identity." }),
  },
  { additionalProperties: false, description: "A published frame of a sequence of the caller's." },
);

const InspectedMatch = Type.Object(
  {
    originalImageHash: hash("A key of the records routes."),
    relation: oneOf(
      "`identical`: the same file is registered; `samePixels`: a file that decodes to the same width, height and 8-bit RGB; `derived`: the query shows it or a part of it.",
      ["identical", "samePixels", "derived"],
    ),
    own: Type.Union([OwnRegistration, OwnFrame, Type.Null()], {
      description:
        "The caller's own registration or frame of the original; null when it is another account's.",
    }),
    originalWidth: pixels(
      "Width of the original, upright, pixels. Of one registered before sizes were kept, width and height of a raster in its proportions.",
    ),
    originalHeight: pixels("Height of the original, likewise."),
    region: polygon(
      "Where the original shows in the query: its corners, clockwise in the original from its upper left, clipped to the query; query pixels. A convex polygon. Null when the place is not known.",
    ),
    part: polygon("Which part of the original shows: the same corners in the original's pixels."),
    mirrored: Type.Boolean({ description: "Whether the query shows it mirrored." }),
    inverted: Type.Boolean({ description: "Whether light and dark are swapped." }),
    turnedDegrees: Type.Number({
      exclusiveMinimum: -180,
      maximum: 180,
      description:
        "How far the original, mirrored left to right first where `mirrored`, is turned clockwise in the query.",
    }),
    scale: Type.Number({
      exclusiveMinimum: 0,
      description:
        "Query pixels per original pixel: the square root of how areas grow at the middle of `part`.",
    }),
  },
  { additionalProperties: false, description: "An original that matched, and where it lies." },
);

export const Inspection = resource(
  "A look-up's verdict with the place of every original in the query.",
  {
    matched: Type.Boolean({ description: "Whether anything matched." }),
    width: pixels("Width of the query after its orientation tag, pixels."),
    height: pixels("Height of the query after its orientation tag, pixels."),
    matches: Type.Array(InspectedMatch, {
      description:
        "One for each original, at its largest place; the originals of `POST /lookup` in its order.",
    }),
  },
  {
    matched: true,
    width: 1600,
    height: 1000,
    matches: [
      {
        originalImageHash: EXAMPLE.originalImageHash,
        relation: "derived",
        own: { kind: "registration", registrationId: EXAMPLE.registrationId },
        originalWidth: 4000,
        originalHeight: 3000,
        region: [
          [0, 120],
          [800, 120],
          [800, 720],
          [0, 720],
        ],
        part: [
          [1000, 0],
          [4000, 0],
          [4000, 2250],
          [1000, 2250],
        ],
        mirrored: false,
        inverted: false,
        turnedDegrees: 0,
        scale: 0.26667,
      },
    ],
  },
  { matched: false, width: 1600, height: 1000, matches: [] },
);
export type Inspection = Type.Static<typeof Inspection>;
