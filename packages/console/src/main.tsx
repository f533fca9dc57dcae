import { render } from "preact";
import { App } from "./app.tsx";
import { applyTheme, chosenTheme } from "./theme.ts";

const place = document.getElementById("console");
if (place === null) throw new Error("The page has no place for the console.");
applyTheme(chosenTheme());
render(<App />, place);
