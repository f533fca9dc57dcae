import { expect, it } from "vitest";
import { adviceOn } from "../packages/cli/src/advice.ts";
import { readConfig } from "../packages/server/src/config/environment.ts";

it("the limits that the command names are those of a service without settings", () => {
  const { acceptedTypes, maxImageBytes, maxImagePixels } = readConfig({});
  const [advice, ...others] = adviceOn([
    null,
    "Unsupported image content type.",
    "Image exceeds the per-image size cap.",
  ]);
  expect(others).toEqual([]);
  expect(advice).toContain(`up to ${maxImageBytes / 2 ** 20} MiB and ${maxImagePixels / 1e6} million pixels`);
  const named = /takes (.+) pictures/
    .exec(advice ?? "")?.[1]
    ?.toLowerCase()
    .split(/, | and /);
  expect(named?.map((type) => `image/${type}`)).toEqual([...acceptedTypes]);
});

it("says nothing where the service's own sentence says it all", () => {
  expect(adviceOn([null, "This image is already registered."])).toEqual([]);
});
