import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { chooseTheme, chosenTheme, type Theme, THEMES } from "../browser/theme.ts";

const NAMES: Readonly<Record<Theme, string>> = {
  system: "Auto",
  light: "Light",
  dark: "Dark",
};

/** Chooses between light, dark, and what the device prefers. */
export function ThemeSwitch(): VNode {
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <select
      class="theme-switch"
      aria-label="Appearance"
      title="Appearance"
      value={theme}
      onChange={({ currentTarget }) => {
        const chosen = THEMES.find((one) => one === currentTarget.value) ?? "system";
        chooseTheme(chosen);
        setTheme(chosen);
      }}
    >
      {THEMES.map((one) => (
        <option key={one} value={one}>
          {NAMES[one]}
        </option>
      ))}
    </select>
  );
}
