import { AccountSettings, OperationReason, refuse, TokenRequest } from "@colophon/contract";
import { fromPem, isHash, sha256Hex } from "@colophon/formats";
import { Compile } from "typebox/compile";
import type { Services } from "../../registry/services.ts";
import { setAside } from "../../registry/set-aside.ts";
import { ANONYMOUS } from "../../store/accounts/anonymous.ts";
import * as accounts from "../../store/accounts/accounts.ts";
import { custodyLedger, operationLedger, usageLedger } from "../../store/custody/ledgers.ts";
import { accountJson } from "../answers/account-json.ts";
import { type Answer, created, NO_CONTENT, ok } from "../answers/answer.ts";
import { type Call, type OperatorHandlers, param } from "../call.ts";
import { readJson } from "../body/read-json.ts";

const BODY_LIMIT = 65_536;

const accountSettings = Compile(AccountSettings);
const tokenRequest = Compile(TokenRequest);
const operationReason = Compile(OperationReason);

/** All of `/admin`. */
export function adminRoutes({
  config,
  database,
  keys,
  calls,
}: Pick<Services, "config" | "database" | "keys" | "calls">): OperatorHandlers<"Administration"> {
  const accountOf = async (call: Call): Promise<accounts.AccountState> => {
    await calls.settle();
    return accounts.readAccount(database, param(call, "accountId"));
  };
  const actOnOriginal = async (call: Call, kind: "setAside" | "reinstated"): Promise<Answer> => {
    const hash = param(call, "originalImageHash");
    if (!isHash(hash)) throw refuse("invalidDeclaredHash", "notAHash");
    const body = await readJson(call.body, BODY_LIMIT);
    if (!operationReason.Check(body)) throw invalid(body, Object.keys(OperationReason.properties));
    await setAside(database, hash, { kind, ...body });
    return NO_CONTENT;
  };
  return {
    createAccount: async (call) => {
      const settings = readSettings(await readJson(call.body, BODY_LIMIT, { optional: true }));
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
      const settings = readSettings(await readJson(call.body, BODY_LIMIT, { optional: true }));
      await calls.settle();
      return ok(accountJson(await accounts.updateAccount(database, param(call, "accountId"), settings)));
    },
    mintToken: async (call) => {
      const body = await readJson(call.body, BODY_LIMIT, { optional: true });
      if (!tokenRequest.Check(body)) throw invalid(body, Object.keys(TokenRequest.properties));
      return created(await accounts.mintToken(database, param(call, "accountId"), body.label ?? null));
    },
    listTokens: async (call) => {
      await calls.settle();
      const tokens = await accounts.listTokens(database, param(call, "accountId"));
      return ok({
        tokens: tokens.map((token) => ({
          tokenId: token.tokenId,
          label: token.label,
          createdAt: token.createdAt.toISOString(),
          lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
          revokedAt: token.revokedAt?.toISOString() ?? null,
        })),
      });
    },
    revokeToken: async (call) => {
      await accounts.revokeToken(database, param(call, "accountId"), param(call, "tokenId"));
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
    setOriginalAside: (call) => actOnOriginal(call, "setAside"),
    reinstateOriginal: (call) => actOnOriginal(call, "reinstated"),
    exportUsage: async (call) => {
      const { account } = await accountOf(call);
      return { kind: "lines", rows: usageLedger(database, account.accountId) };
    },
    getTrustRoot: async () => {
      const { trustDomain, trustRoot } = keys.signer;
      const thumbprint = sha256Hex(fromPem(trustRoot));
      return ok({ trustContext: trustDomain, certificate: trustRoot, thumbprint });
    },
  };
}

/** What a body of settings names. @throws Refusal malformedRequest */
function readSettings(body: object): accounts.AccountSettings {
  if (!accountSettings.Check(body)) throw invalid(body, Object.keys(AccountSettings.properties));
  const { registrations, lookups, ...others } = body;
  return {
    ...others,
    ...(registrations !== undefined && { registrationGrant: registrations }),
    ...(lookups !== undefined && { lookupGrant: lookups }),
  };
}

function invalid(body: object, known: readonly string[]): ReturnType<typeof refuse> {
  const unknown = Object.keys(body).some((key) => !known.includes(key));
  return refuse("malformedRequest", unknown ? "unknownField" : "invalidField");
}
