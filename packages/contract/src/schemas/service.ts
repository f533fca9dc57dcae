import { Type } from "typebox";
import { resource } from "./values.ts";

export const Health = resource(
  "What answers at this address.",
  {
    service: Type.String({ description: "The service's own name." }),
    version: Type.String({ description: "The version of the running build." }),
  },
  { service: "Colophon", version: "0.1.0" },
);
export type Health = Type.Static<typeof Health>;

export const OpenApiDocument = Type.Object(
  { openapi: Type.String({ description: "The version of the OpenAPI specification." }) },
  {
    additionalProperties: true,
    description: "This document.",
    examples: [{ openapi: "3.1.0", info: { title: "Colophon", version: "0.1.0" }, paths: {} }],
  },
);
export type OpenApiDocument = Type.Static<typeof OpenApiDocument>;
