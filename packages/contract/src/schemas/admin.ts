import { Type } from "typebox";
import { Grant } from "./account.ts";
import { EXAMPLE } from "./examples.ts";
import { hash, instant, nullable, resource, uuid } from "./values.ts";

/** Free text for people; the store keeps every character but NUL. */
const freeText = { maxLength: 200, pattern: "^[^\\u0000]*$" };

const accountFields = {
  name: nullable(Type.String({ description: "The operator's name for the account.", ...freeText })),
  registrations: Type.Integer({ minimum: 0, maximum: 2147483647, description: "Registrations granted." }),
  lookups: Type.Integer({ minimum: 0, maximum: 2147483647, description: "Look-ups granted." }),
  sequencesEnabled: Type.Boolean({ description: "Whether the account may use the sequence routes." }),
  maxRequestBytes: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    format: "int64",
    description: "Longest request that sends frames, in bytes.",
  }),
  maxFramesPerSequence: Type.Integer({
    minimum: 1,
    maximum: 2147483647,
    description: "Most frames a sequence should hold; advisory, and never compared with an expected size.",
  }),
};

/** What `POST` and `PATCH` take; grants are set, not added to. */
export const AccountSettings = Type.Object(
  {
    name: Type.Optional(accountFields.name),
    registrations: Type.Optional(accountFields.registrations),
    lookups: Type.Optional(accountFields.lookups),
    sequencesEnabled: Type.Optional(accountFields.sequencesEnabled),
    maxRequestBytes: Type.Optional(accountFields.maxRequestBytes),
    maxFramesPerSequence: Type.Optional(accountFields.maxFramesPerSequence),
  },
  {
    additionalProperties: false,
    description: "The settings of an account; what is left out keeps its value or takes the default.",
    examples: [{ name: "Harbour Press", registrations: 1000, lookups: 5000 }],
  },
);
export type AccountSettings = Type.Static<typeof AccountSettings>;

export const Account = resource(
  "An account as its operator sees it.",
  {
    accountId: uuid("The account's id."),
    name: accountFields.name,
    registrations: Grant,
    lookups: Grant,
    sequencesEnabled: accountFields.sequencesEnabled,
    maxRequestBytes: accountFields.maxRequestBytes,
    maxFramesPerSequence: accountFields.maxFramesPerSequence,
    callCount: Type.Integer({ minimum: 0, format: "int64", description: "Authenticated calls ever made." }),
    createdAt: instant("When the account was created."),
  },
  {
    accountId: EXAMPLE.accountId,
    name: "Harbour Press",
    registrations: { grant: 1000, consumed: 120, held: 4, remaining: 880 },
    lookups: { grant: 5000, consumed: 431, held: 0, remaining: 4569 },
    sequencesEnabled: false,
    maxRequestBytes: 268435456,
    maxFramesPerSequence: 10000,
    callCount: 977,
    createdAt: EXAMPLE.earlier,
  },
);
export type Account = Type.Static<typeof Account>;

export const AccountList = resource(
  "Every account, in the order of creation.",
  { accounts: Type.Array(Account) },
  {
    accounts: [
      {
        accountId: EXAMPLE.accountId,
        name: null,
        registrations: { grant: 0, consumed: 0, held: 0, remaining: 0 },
        lookups: { grant: 0, consumed: 0, held: 0, remaining: 0 },
        sequencesEnabled: false,
        maxRequestBytes: 268435456,
        maxFramesPerSequence: 10000,
        callCount: 0,
        createdAt: EXAMPLE.earlier,
      },
    ],
  },
);
export type AccountList = Type.Static<typeof AccountList>;

const label = nullable(Type.String({ description: "The operator's name for the token.", ...freeText }));

export const TokenRequest = Type.Object(
  { label: Type.Optional(label) },
  { additionalProperties: false, description: "A token to mint.", examples: [{ label: "newsroom" }] },
);
export type TokenRequest = Type.Static<typeof TokenRequest>;

export const MintedToken = resource(
  "A token just minted; it is never shown again.",
  {
    tokenId: uuid("The token's id."),
    token: Type.String({ description: "The bearer token; only a hash of it is kept." }),
  },
  { tokenId: EXAMPLE.tokenId, token: "clp_EXAMPLEonlyEXAMPLEonlyEXAMPLEonlyEXAMPLEonly" },
);
export type MintedToken = Type.Static<typeof MintedToken>;

const Token = Type.Object(
  {
    tokenId: uuid("The token's id."),
    label,
    createdAt: instant("When the token was minted."),
    lastUsedAt: nullable(instant("When the token last opened a route.")),
    revokedAt: nullable(instant("When the token was revoked.")),
  },
  { additionalProperties: false, description: "A token, without the secret itself." },
);

export const TokenList = resource(
  "An account's tokens, in the order of minting.",
  { tokens: Type.Array(Token) },
  {
    tokens: [
      {
        tokenId: EXAMPLE.tokenId,
        label: "newsroom",
        createdAt: EXAMPLE.earlier,
        lastUsedAt: EXAMPLE.later,
        revokedAt: null,
      },
    ],
  },
);
export type TokenList = Type.Static<typeof TokenList>;

export const TrustRoot = resource(
  "The root certificate that every record of the deployment leads to.",
  {
    trustContext: Type.String({ description: "The trust domain, as records state it." }),
    certificate: Type.String({ description: "PEM." }),
    thumbprint: hash("SHA-256 of the certificate's DER, lowercase hex."),
  },
  {
    trustContext: "registry.example",
    certificate: "-----BEGIN CERTIFICATE-----\nMIIB...\n-----END CERTIFICATE-----\n",
    thumbprint: EXAMPLE.imageHash,
  },
);
export type TrustRoot = Type.Static<typeof TrustRoot>;
