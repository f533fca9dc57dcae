import { Type, type Static } from "typebox";

/** A resource: an object that has exactly the fields given. The examples are the document's own. */
export function resource<P extends Type.TProperties>(
  description: string,
  properties: P,
  ...examples: readonly Static<Type.TObject<P>>[]
): Type.TObject<P> {
  return Type.Object(properties, { additionalProperties: false, description, examples: [...examples] });
}

/** A field that is always present and null when it has no value. */
export function nullable<T extends Type.TSchema>(schema: T): Type.TUnion<[T, Type.TNull]> {
  return Type.Union([schema, Type.Null()]);
}

/** 32 bytes in lowercase hex. */
export function hash(description: string): Type.TString {
  return Type.String({ description, pattern: "^[0-9a-f]{64}$" });
}

/** A UUID in its canonical text form. */
export function uuid(description: string): Type.TString {
  return Type.String({ description, format: "uuid" });
}

/** An instant, ISO 8601 in UTC. */
export function instant(description: string): Type.TString {
  return Type.String({ description, format: "date-time" });
}

/** Bytes in standard base64 with padding. */
export function base64(description: string): Type.TString {
  return Type.String({ description, contentEncoding: "base64" });
}

/** A whole number that is not negative. */
export function count(description: string): Type.TInteger {
  return Type.Integer({ description, minimum: 0 });
}

/** A closed set of strings. */
export function oneOf<V extends string[]>(description: string, values: readonly [...V]): Type.TEnum<V> {
  return Type.Enum<V>(values, { type: "string", description });
}
