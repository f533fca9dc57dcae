import { render } from "preact";
import { App } from "./app.tsx";
import { ConfigurationContext, readConfiguration } from "./configuration.ts";
import { applyTheme, chosenTheme } from "./browser/theme.ts";

const place = document.getElementById("console");
if (place === null) throw new Error("The page has no place for the console.");
applyTheme(chosenTheme());
const configuration = await readConfiguration();
render(
  <ConfigurationContext.Provider value={configuration}>
    <App />
  </ConfigurationContext.Provider>,
  place,
);
