import {
  AccountSettings,
  OperationReason,
  refuse,
  TokenExpiryChange,
  TokenRequest,
} from "@colophon/contract";
import { fromPem, sha256Hex } from "@colophon/formats";
import type { Static, TObject } from "typebox";
import { Compile, type Validator } from "typebox/schema";
import {
  readSuspension,
  readSuspensions,
  setSuspended,
  tokenExpiries,
} from "../../registry/operator/access.ts";
import { setAside } from "../../registry/operator/set-aside.ts";
import { takeDownAccount, takeDownOriginal } from "../../registry/operator/take-down.ts";
import type { Services } from "../../registry/services.ts";
import { ANONYMOUS } from "../../store/accounts/anonymous.ts";
import * as accounts from "../../store/accounts/accounts.ts";
import * as tokens from "../../store/accounts/tokens.ts";
import { custodyLedger, operationLedger, usageLedger } from "../../store/custody/ledgers.ts";
import { accountJson } from "../answers/account-json.ts";
import { type Answer, created, NO_CONTENT, ok } from "../answers/answer.ts";
import { type Call, type OperatorHandlers, param } from "../call.ts";
import { declaredHash } from "../body/declared-hashes.ts";
import { fieldsOf, readJson } from "../body/read-json.ts";

const BODY_LIMIT = 65_536;

const accountSettings = Compile(AccountSettings);
const tokenRequest = Compile(TokenRequest);
const operationReason = Compile(OperationReason);
const tokenExpiryChange = Compile(TokenExpiryChange);

/** All of `/admin`. */
export function adminRoutes(
  services: Pick<Services, "config" | "database" | "keys" | "calls" | "engine">,
): OperatorHandlers<"Administration"> {
  const { config, database, keys, calls } = services;
  const accountOf = async (call: Call): Promise<accounts.AccountState> => {
    await calls.settle();
    return accounts.readAccount(database, param(call, "accountId"));
  };
  const suspension = async (call: Call, isSuspended: boolean): Promise<Answer> => {
    const reason = await readReason(call);
    await setSuspended(services, param(call, "accountId"), { isSuspended, reason });
    return NO_CONTENT;
  };
  return {
    createAccount: async (call) => {
      const settings = await readSettings(call);
      const state = await accounts.createAccount(database, {
        name: null,
        maxRequestBytes: config.maxRequestBytes,
        maxFramesPerSequence: config.maxFramesPerSequence,
        ...settings,
      });
      return created(accountJson(state));
    },
    listAccounts: async () => {
      await calls.settle();
      return ok({ accounts: (await accounts.listAccounts(database)).map(accountJson) });
    },
    getAccount: async (call) => ok(accountJson(await accountOf(call))),
    updateAccount: async (call) => {
      const settings = await readSettings(call);
      await calls.settle();
      return ok(accountJson(await accounts.updateAccount(database, param(call, "accountId"), settings)));
    },
    mintToken: async (call) => {
      const { label = null } = await readBody(call, tokenRequest, { optional: true });
      return created(await tokens.mintToken(database, param(call, "accountId"), label));
    },
    listTokens: async (call) => {
      await calls.settle();
      const listed = await tokens.listTokens(database, param(call, "accountId"));
      return ok({
        tokens: listed.map((token) => ({
          tokenId: token.tokenId,
          label: token.label,
          createdAt: token.createdAt.toISOString(),
          lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
          revokedAt: token.revokedAt?.toISOString() ?? null,
        })),
      });
    },
    revokeToken: async (call) => {
      await tokens.revokeToken(database, param(call, "accountId"), param(call, "tokenId"));
      return NO_CONTENT;
    },
    exportCustody: async (call) => {
      const { account } = await accountOf(call);
      return { kind: "lines", rows: custodyLedger(database, account.accountId) };
    },
    exportAnonymousCustody: async () => ({ kind: "lines", rows: custodyLedger(database, ANONYMOUS) }),
    exportOperations: async (call) => {
      const { account } = await accountOf(call);
      return { kind: "lines", rows: operationLedger(database, account.accountId) };
    },
    setOriginalAside: (call) =>
      actOnOriginal(call, (hash, reason) => setAside(database, hash, { kind: "setAside", reason })),
    reinstateOriginal: (call) =>
      actOnOriginal(call, (hash, reason) => setAside(database, hash, { kind: "reinstated", reason })),
    takeDownOriginal: (call) =>
      actOnOriginal(call, (hash, reason) => takeDownOriginal(services, hash, reason)),
    takeDownAccount: async (call) => {
      const reason = await readReason(call);
      return ok(await takeDownAccount(services, param(call, "accountId"), reason));
    },
    suspendAccount: (call) => suspension(call, true),
    resumeAccount: (call) => suspension(call, false),
    exportUsage: async (call) => {
      const { account } = await accountOf(call);
      return { kind: "lines", rows: usageLedger(database, account.accountId) };
    },
    getSuspension: async (call) => ok(await readSuspension(database, param(call, "accountId"))),
    listSuspensions: async () => ok(await readSuspensions(database)),
    listTokenExpiries: async (call) => ok(await tokenExpiries(database, param(call, "accountId"))),
    setTokenExpiry: async (call) => {
      const body = await readBody(call, tokenExpiryChange);
      const expiresAt = body.expiresAt === null ? null : new Date(body.expiresAt);
      if (expiresAt !== null && !isInstant(expiresAt)) throw refuse("malformedRequest", "invalidField");
      const tokenId = param(call, "tokenId");
      await tokens.setTokenExpiry(database, param(call, "accountId"), tokenId, expiresAt);
      return NO_CONTENT;
    },
    getTrustRoot: async () => {
      const { trustDomain, trustRoot } = keys.signer;
      const thumbprint = sha256Hex(fromPem(trustRoot));
      return ok({ trustContext: trustDomain, certificate: trustRoot, thumbprint });
    },
  };
}

/** Does something to the original of the path, for a reason. @throws Refusal invalidDeclaredHash, malformedRequest */
async function actOnOriginal(
  call: Call,
  act: (originalImageHash: string, reason: string) => Promise<void>,
): Promise<Answer> {
  const hash = declaredHash(param(call, "originalImageHash"));
  await act(hash, await readReason(call));
  return NO_CONTENT;
}

/** Why the operator does something. @throws Refusal malformedRequest */
async function readReason(call: Call): Promise<string> {
  return (await readBody(call, operationReason)).reason;
}

/** The settings that a body names. @throws Refusal malformedRequest */
async function readSettings(call: Call): Promise<accounts.AccountSettings> {
  const { registrations, lookups, ...others } = await readBody(call, accountSettings, { optional: true });
  return {
    ...others,
    ...(registrations !== undefined && { registrationGrant: registrations }),
    ...(lookups !== undefined && { lookupGrant: lookups }),
  };
}

/** Years of four digits, which is what a timestamp of the database and of the answers takes. */
function isInstant(date: Date): boolean {
  const year = date.getUTCFullYear();
  return year >= 1970 && year <= 9999;
}

/** A body as a schema describes it. @throws Refusal malformedRequest */
async function readBody<S extends TObject>(
  call: Call,
  validator: Validator<S>,
  options?: { optional: boolean },
): Promise<Static<S>> {
  const body = await readJson(call.body, BODY_LIMIT, options);
  if (validator.Check(body)) return body;
  fieldsOf(body, Object.keys(validator.Schema().properties));
  throw refuse("malformedRequest", "invalidField");
}
