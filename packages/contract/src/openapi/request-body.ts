import type { PartRule, RequestBody } from "../route.ts";
import { mediaExamples, referring } from "./references.ts";

/** How one kind of part shows in the schema of a multipart body. */
interface PartSchema {
  readonly name: string;
  readonly schema: object;
  readonly contentType: string;
  readonly example: unknown;
}

const KIND_PATTERN = "^manifest\\[[A-Za-z0-9._-]{1,64}\\]$";
const SOME_MANIFEST = "manifest[cawg.training-mining]";

const bytes = (description: string): object => ({
  type: "string",
  contentMediaType: "application/octet-stream",
  description,
});
const manifest = {
  type: ["object", "string"],
  description: "A JSON object, or a JUMBF container; the part's own Content-Type tells which.",
};

const IMAGE_TYPES = ["image/jpeg", "image/png", "image/webp"];
const BARE_IMAGE = { schema: bytes("The image file as it is."), example: "the bytes of harbour.jpg" };

const image = (repeated: boolean): PartSchema => ({
  name: "image",
  schema: repeat(bytes("The image file as it is."), repeated),
  contentType: IMAGE_TYPES.join(", "),
  example: repeated ? ["the bytes of harbour.jpg"] : "the bytes of harbour.jpg",
});

const PARTS: Readonly<Record<PartRule["part"], (repeated: boolean) => PartSchema>> = {
  manifest: () => ({
    name: SOME_MANIFEST,
    schema: manifest,
    contentType: "application/json, application/jumbf, application/c2pa",
    example: { entries: { "cawg.ai_generative_training": { use: "notAllowed" } } },
  }),
  image,
  file: image,
  frame: (repeated) => ({
    name: "frame",
    schema: repeat(bytes("A PX frame container."), repeated),
    contentType: "application/octet-stream",
    example: ["the bytes of a frame"],
  }),
  expectedSize: () => ({
    name: "expectedSize",
    schema: { type: "integer", minimum: 1, description: "Advisory number of frames." },
    contentType: "text/plain",
    example: 240,
  }),
};

function partSchema({ part, occurs }: PartRule): PartSchema {
  return PARTS[part](occurs === "any" || occurs === "atLeastOnce");
}

function repeat(schema: object, repeated: boolean): object {
  return repeated ? { type: "array", items: schema, minItems: 1 } : schema;
}

/** The schema of a multipart body; parts whose name has no meaning may carry any. */
function multipartSchema(parts: readonly PartRule[], schemas: readonly PartSchema[]): object {
  const properties = Object.fromEntries(schemas.map(({ name, schema }) => [name, schema]));
  const nameless = parts.find(({ part }) => part === "file" || part === "frame");
  if (nameless !== undefined) {
    const once = nameless.occurs === "once" ? { maxProperties: 1 } : {};
    return {
      type: "object",
      properties,
      additionalProperties: schemas[0]?.schema,
      minProperties: 1,
      ...once,
    };
  }
  const required = parts.some(({ part }) => part === "image") ? { required: ["image"] } : {};
  return {
    type: "object",
    properties,
    patternProperties: { [KIND_PATTERN]: manifest },
    additionalProperties: false,
    ...required,
  };
}

/** The request body of an operation. */
export function requestBody(body: RequestBody): object {
  if (body.kind === "json") {
    const content = { schema: referring(body.schema), examples: mediaExamples(body.schema) };
    return { required: body.required, content: { "application/json": content } };
  }
  const schemas = body.parts.map(partSchema);
  const content = {
    schema: multipartSchema(body.parts, schemas),
    encoding: Object.fromEntries(schemas.map(({ name, contentType }) => [name, { contentType }])),
    example: Object.fromEntries(schemas.map(({ name, example }) => [name, example])),
  };
  const bare = body.bare === true ? Object.fromEntries(IMAGE_TYPES.map((type) => [type, BARE_IMAGE])) : {};
  return {
    required: true,
    description: body.description,
    content: { "multipart/form-data": content, ...bare },
  };
}
