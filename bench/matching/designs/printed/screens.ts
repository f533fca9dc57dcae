import { box, disc, rule, text } from "../drawing.ts";
import { between, clockTime, several, title, word, words } from "../language.ts";
import type { Design } from "../design.ts";
import { printed, WIDE, TALL } from "./form.ts";

/** Screens that say something else. */
export const SCREENS: readonly Design[] = [
  printed("dialog", WIDE, ({ width, height, style, random, unit }) => ({
    form:
      box(3 * unit, 3 * unit, width - 6 * unit, height - 6 * unit, {
        fill: style.ground,
        stroke: style.ink,
        line: 2,
        corner: style.corner,
      }) +
      box(3 * unit, 3 * unit, width - 6 * unit, 2.4 * unit, { fill: style.accent }) +
      box(width - 12 * unit, height - 6 * unit, 3.6 * unit, 1.8 * unit, { fill: style.faint }) +
      box(width - 8 * unit, height - 6 * unit, 3.6 * unit, 1.8 * unit, { fill: style.accent }) +
      text(
        style,
        width - 11.4 * unit,
        height - 4.8 * unit,
        0.9 * unit,
        word(random, style.script).slice(0, 6),
      ) +
      disc(5.5 * unit, 9 * unit, 1.3 * unit, { fill: style.second }),
    says: (own) =>
      text(style, 4 * unit, 4.7 * unit, 1.2 * unit, title(own, style.script, 2), { fill: "#fff" }) +
      several(5, (k) => text(style, 8 * unit, (8 + 1.8 * k) * unit, unit, words(own, style.script, 6))).join(
        "",
      ),
  })),
  printed("settings-screen", TALL, ({ width, style, random, unit }) => ({
    form:
      box(0, 0, width, 3 * unit, { fill: style.accent }) +
      several(
        11,
        (k) =>
          rule(unit, (5.7 + 2.1 * k) * unit, width - unit, (5.7 + 2.1 * k) * unit, style.faint, 2) +
          text(style, 3 * unit, (5 + 2.1 * k) * unit, 0.95 * unit, words(random, style.script, 3)) +
          disc(1.8 * unit, (4.7 + 2.1 * k) * unit, 0.6 * unit, { fill: style.second }),
      ).join(""),
    says: (own) =>
      several(11, (k) => {
        const on = own() < 0.5;
        return (
          box(width - 4 * unit, (4.1 + 2.1 * k) * unit, 2.6 * unit, 1.3 * unit, {
            fill: on ? style.accent : style.faint,
            corner: 0.65 * unit,
          }) + disc(width - (on ? 2.1 : 3.3) * unit, (4.75 + 2.1 * k) * unit, 0.5 * unit, { fill: "#fff" })
        );
      }).join("") + text(style, unit, 2 * unit, 1.1 * unit, clockTime(own), { fill: "#fff" }),
  })),
  printed("terminal", WIDE, ({ width, height, style, random, unit }) => ({
    form:
      box(0, 0, width, height, { fill: "#101418" }) +
      box(0, 0, width, 1.6 * unit, { fill: "#3a3f46" }) +
      several(18, (k) =>
        text(
          { ...style, font: "monospace" },
          unit,
          (3.2 + 1.2 * k) * unit,
          0.9 * unit,
          `${word(random, "latin")}@${word(random, "latin")}:~$`,
          { fill: "#60c060" },
        ),
      ).join(""),
    says: (own) =>
      several(18, (k) =>
        text(
          { ...style, font: "monospace" },
          13 * unit,
          (3.2 + 1.2 * k) * unit,
          0.9 * unit,
          words(own, "latin", between(own, 1, 4)),
          { fill: "#d8d8d8" },
        ),
      ).join(""),
  })),
];
