import type { Random } from "@colophon/testing/pictures.ts";
import { pick } from "@colophon/testing/chance.ts";
import type { Design } from "../design.ts";
import { between, clockTime, digits, several, title, word } from "../language.ts";
import { seenFromAbove } from "./ground.ts";
import { type Plan, pictured, print, sheet } from "./sheet.ts";

const LANDSCAPE = [
  [1240, 820],
  [1120, 700],
  [1000, 1000],
] as const;

type Spot = readonly [x: number, y: number];

const spot = ({ width, height }: Plan, own: Random): Spot => [
  width * (0.05 + 0.9 * own()),
  height * (0.08 + 0.86 * own()),
];

/** A smooth track that wanders from somewhere. */
function track(plan: Plan, own: Random, length: number): string {
  let [x, y] = spot(plan, own);
  let turn = 2 * Math.PI * own();
  const commands = several(length, () => {
    turn += 1.3 * (own() - 0.5);
    x += 2.2 * plan.em * Math.cos(turn);
    y += 2.2 * plan.em * Math.sin(turn);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M${commands.join("L")}`;
}

const aerial = (plan: Plan): string =>
  `<image width="${plan.width}" height="${plan.height}" preserveAspectRatio="none" href="${seenFromAbove(plan.random, 620, Math.round((620 * plan.height) / plan.width))}"/>`;

const drop = ([x, y]: Spot, r: number, fill: string): string =>
  `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${r.toFixed(2)})"><path d="M0 0C-.9-1.2-1-1.6-1-2a1 1 0 0 1 2 0c0 .4-.1.8-1 2z" fill="${fill}" stroke="#fff" stroke-width=".14"/><circle cy="-2" r=".38" fill="#fff"/></g>`;

/** Maps, charts and pictures from the air, with tracks, pins, fronts and outlines of each member's own. */
export const SHEET_MAPS: readonly Design[] = [
  pictured("aerial-pins", LANDSCAPE, (plan) => ({
    ground: aerial(plan),
    own: (own) =>
      several(between(own, 2, 9), () =>
        drop(spot(plan, own), (0.8 + 0.5 * own()) * plan.em, plan.bright),
      ).join(""),
  })),
  pictured("aerial-track", LANDSCAPE, (plan) => {
    const line = plan.em * (0.25 + 0.3 * plan.random());
    return {
      ground: aerial(plan),
      own: (own) => {
        const way = track(plan, own, between(own, 8, 26));
        return `<g fill="none" stroke-linecap="round" stroke-linejoin="round"><path d="${way}" stroke="#fff" stroke-width="${2 * line}"/><path d="${way}" stroke="${plan.bright}" stroke-width="${line}"/></g>`;
      },
    };
  }),
  pictured("aerial-parcels", LANDSCAPE, (plan) => ({
    ground: aerial(plan),
    own: (own) =>
      several(between(own, 1, 5), () => {
        const [x, y] = spot(plan, own);
        const corners = several(between(own, 4, 7), (k) => {
          const [turn, far] = [k * 1.1, plan.em * (2 + 4 * own())];
          return `${(x + far * Math.cos(turn)).toFixed(1)},${(y + far * Math.sin(turn)).toFixed(1)}`;
        });
        return `<polygon points="${corners.join(" ")}" fill="${plan.bright}" fill-opacity="${own() < 0.5 ? 0.25 : 0}" stroke="${plan.bright}" stroke-width="3"/>${print(x, y, plan.em, plan.face, "#fff", `${digits(own, 3)}/${digits(own, 1)}`, 'text-anchor="middle"')}`;
      }).join(""),
  })),
  sheet("isobars-and-fronts", LANDSCAPE, (plan) => {
    const { width, height, em, random, dull } = plan;
    const coast = several(
      6,
      () => `<path d="${track(plan, random, 24)}z" fill="${dull}" fill-opacity=".35" stroke="${dull}"/>`,
    );
    const bars = several(between(random, 5, 9), (k) => {
      const [x, y] = [width * 0.5, height * 0.5];
      return `<ellipse cx="${x}" cy="${y}" rx="${(k + 1) * 3.4 * em}" ry="${(k + 1) * 2.3 * em}" transform="rotate(${20 + 7 * k} ${x} ${y})" fill="none" stroke="${plan.ink}" stroke-opacity=".5"/>`;
    });
    return {
      ground: coast.join("") + bars.join(""),
      own: (own) =>
        several(between(own, 2, 4), () => {
          const [x, y] = spot(plan, own);
          return (
            `<path d="${track(plan, own, 7)}" fill="none" stroke="${pick(own, ["#1b4ed8", "#d7263d"])}" stroke-width="5" stroke-dasharray="14 7"/>` +
            print(x, y, 2.4 * em, plan.head, plan.ink, pick(own, ["H", "T", "L"])) +
            print(x, y + 1.3 * em, em, plan.face, plan.ink, `${between(own, 970, 1045)}`)
          );
        }).join(""),
    };
  }),
  sheet("tram-network", LANDSCAPE, (plan) => {
    const { width, height, em, random } = plan;
    const lines = several(between(random, 4, 7), (k) => {
      const y = ((k + 1) * height) / 9;
      const [bend, rise] = [width * (0.2 + 0.5 * random()), height * 0.3 * random()];
      return { d: `M${2 * em} ${y}H${bend}l${rise} ${rise}H${width - 2 * em}`, bend, y, rise };
    });
    const stops = lines.flatMap(({ bend, y, rise }) =>
      several(between(random, 6, 12), (k): Spot => {
        const x = 3 * em + (k * (width - 6 * em)) / 11;
        return [x, x < bend ? y : x > bend + rise ? y + rise : y + x - bend];
      }),
    );
    return {
      ground:
        lines
          .map(
            ({ d }, k) =>
              `<path d="${d}" fill="none" stroke="hsl(${k * 53},60%,50%)" stroke-width="${0.5 * em}"/>`,
          )
          .join("") +
        stops
          .map(
            ([x, y]) =>
              `<circle cx="${x}" cy="${y}" r="${0.4 * em}" fill="#fff" stroke="#222"/>${print(x, y - 0.8 * em, 0.8 * em, plan.face, plan.ink, word(random, "latin"), `transform="rotate(-30 ${x} ${y})"`)}`,
          )
          .join(""),
      own: (own) =>
        several(between(own, 2, 6), () => {
          const [x, y] = pick(own, stops);
          return `<path d="M${x - em} ${y - em}l${2 * em} ${2 * em}m0 ${-2 * em}l${-2 * em} ${2 * em}" stroke="${plan.bright}" stroke-width="5"/>${print(x + em, y + 1.4 * em, 0.9 * em, plan.face, plan.bright, clockTime(own))}`;
        }).join(""),
    };
  }),
  sheet("arena-seats", LANDSCAPE, (plan) => {
    const { width, height, em, random, dull } = plan;
    const [rows, seats] = [between(random, 7, 12), between(random, 26, 44)];
    const seat = (k: number): Spot => {
      const [row, turn] = [Math.floor(k / seats), Math.PI * (0.08 + (0.84 * (k % seats)) / seats)];
      const far = height * (0.3 + (0.55 * row) / rows);
      return [width / 2 - far * Math.cos(turn) * 1.1, height * 0.05 + far * Math.sin(turn)];
    };
    const put = (k: number, fill: string): string => {
      const [x, y] = seat(k);
      return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${0.42 * em}" fill="${fill}" stroke="${plan.ink}" stroke-width=".7"/>`;
    };
    const taken = several(rows * seats, () => random() < 0.35);
    return {
      ground:
        taken.map((each, k) => put(k, each ? dull : "none")).join("") +
        print(
          width / 2,
          height * 0.08,
          1.6 * em,
          plan.head,
          plan.ink,
          title(random, "latin", 3),
          'text-anchor="middle"',
        ),
      own: (own) =>
        several(between(own, 2, 12), () => put(between(own, 0, rows * seats - 1), plan.bright)).join(""),
    };
  }),
];
