import type { Type } from "typebox";
import type { RefusalDetail } from "./refusal.ts";
import type { RefusalCode } from "./refusals.ts";

/** Who may call: an account's token, the operator's, or anybody. */
export type Authentication = "account" | "admin" | "none";

/** A kind of multipart part and how often it may occur. */
export interface PartRule {
  /** `file` is a file part of any name; `image` and `frame` are file parts, `manifest` means `manifest[<kind>]`. */
  readonly part: "manifest" | "image" | "file" | "frame" | "expectedSize";
  readonly occurs: "once" | "atMostOnce" | "any" | "atLeastOnce";
}

/** What a request carries. */
export type RequestBody =
  | { readonly kind: "json"; readonly schema: Type.TSchema; readonly required: boolean }
  | {
      readonly kind: "multipart";
      readonly description: string;
      readonly parts: readonly PartRule[];
      /** Whether the one file may be the whole body instead, under its own content type. */
      readonly bare?: true;
    };

/** A parameter of the query string, as text; what a route does with one that it cannot use is the route's. */
export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly required?: true;
  readonly schema: Type.TSchema;
  readonly example: string | number | boolean;
}

/** What a route answers when it does not refuse. */
export interface Answer {
  readonly status: 200 | 201 | 204;
  readonly description: string;
  /** The schema of the body, or of one line of it when the answer is NDJSON. Text and bytes want an example in it. */
  readonly schema?: Type.TSchema;
  /** `application/json` unless it says otherwise. */
  readonly mediaType?: string;
  /** Whether a `Location` header names what was opened. */
  readonly location?: true;
  /** The `Cache-Control` header of the answer; unless it says so, none, and `no-store` behind an authentication. */
  readonly cacheControl?: string;
  /** Whether pages of every origin may read it (Fetch standard, CORS), whatever the operator allows. */
  readonly anyOrigin?: true;
}

/** The group a route is listed under: the contract's, then those of its extensions. */
export type Tag =
  | "Service"
  | "Registrations"
  | "Registration slots"
  | "Look-up"
  | "Look-up slots"
  | "Records"
  | "Account"
  | "Sequences"
  | "Administration"
  | "Library"
  | "Log"
  | "C2PA";

/** The setting that switches an extension off: the name of its environment variable. */
export type Setting = "COLOPHON_C2PA" | "COLOPHON_INSPECT" | "COLOPHON_LOG" | "COLOPHON_PUBLIC";

/** What a deployment answers without a token, each with what is before it. */
export const PUBLIC_READS = ["off", "records", "lookups"] as const;
export type PublicReads = (typeof PUBLIC_READS)[number];

/** One route of the contract, or of its extensions. */
export interface Route {
  readonly operationId: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path in OpenAPI style: `/slots/{slotId}`. */
  readonly path: string;
  /** Whether the last parameter of the path goes on to its end, slashes included. */
  readonly tail?: true;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly auth: Authentication;
  /** For which reads it answers without a token, where the deployment opens them. */
  readonly public?: Exclude<PublicReads, "off">;
  /** Whose bound such calls count against, where it is not that of those reads. */
  readonly publicBound?: Exclude<PublicReads, "off">;
  /** Whether the route needs the `X-Sequence-Ticket` header. */
  readonly ticket?: true;
  readonly query?: readonly QueryParameter[];
  readonly body?: RequestBody;
  readonly answer: Answer;
  /** What it answers instead, where that is no refusal. */
  readonly otherwise?: Omit<Answer, "status"> & { readonly status: 503 };
  /** Every refusal of the route's own; `unauthorized` and `unexpectedError` go with the authentication, and any
   *  route behind one may be `serviceUnavailable`. */
  readonly refusals: readonly RefusalCode[];
  /** Which causes of `malformedRequest` the route knows. */
  readonly malformed?: readonly RefusalDetail<"malformedRequest">[];
  /** What switches the route off; a route that is off answers like one that does not exist. */
  readonly setting?: Setting;
}
