import { NAMED_SCHEMAS } from "../schemas/components.ts";

const NAMES: ReadonlyMap<unknown, string> = new Map(
  Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [schema, name]),
);

/** A schema as plain JSON in which every named schema is a reference to its component. */
export function referring(schema: unknown): unknown {
  const name = NAMES.get(schema);
  return name === undefined ? spelledOut(schema) : { $ref: `#/components/schemas/${name}` };
}

/** A schema as plain JSON, itself spelled out and the named schemas within it as references. */
export function spelledOut(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(referring);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, referring(value)]));
}

/** The examples of a media type, from those of its schema. */
export function mediaExamples(schema: object): Record<string, { readonly value: unknown }> {
  const examples: unknown = "examples" in schema ? schema.examples : [];
  if (!Array.isArray(examples)) return {};
  return Object.fromEntries(examples.map((value: unknown, index) => [`example${index + 1}`, { value }]));
}
