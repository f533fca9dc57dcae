import { AccountSettings, refuse, TokenRequest } from "@colophon/contract";
import { fromPem, sha256Hex } from "@colophon/formats";
import { Compile } from "typebox/compile";
import type { Services } from "../../registry/services.ts";
import * as accounts from "../../store/accounts/accounts.ts";
import type { AccountSettings as Columns } from "../../store/accounts/accounts.ts";
import { custodyLedger, usageLedger } from "../../store/custody/ledgers.ts";
import { accountJson } from "../account-json.ts";
import { created, NO_CONTENT, ok } from "../answer.ts";
import { type Call, type OperatorHandlers, param } from "../call.ts";
import { readJson } from "../body/read-json.ts";

const BODY_LIMIT = 65_536;
const MAX_FRAMES_PER_SEQUENCE = 10_000;

const settings = Compile(AccountSettings);
const tokenRequest = Compile(TokenRequest);

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
  return {
    createAccount: async (call) => {
      const columns = settingsColumns(await readJson(call.body, BODY_LIMIT, { optional: true }));
      const state = await accounts.createAccount(database, {
        name: null,
        max_request_bytes: config.maxRequestBytes,
        max_frames_per_sequence: MAX_FRAMES_PER_SEQUENCE,
        ...columns,
      });
      return created(accountJson(state));
    },
    listAccounts: async () => {
      await calls.settle();
      return ok({ accounts: (await accounts.listAccounts(database)).map(accountJson) });
    },
    getAccount: async (call) => ok(accountJson(await accountOf(call))),
    updateAccount: async (call) => {
      const columns = settingsColumns(await readJson(call.body, BODY_LIMIT, { optional: true }));
      await calls.settle();
      return ok(accountJson(await accounts.updateAccount(database, param(call, "accountId"), columns)));
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
          tokenId: token.token_id,
          label: token.label,
          createdAt: token.created_at.toISOString(),
          lastUsedAt: token.last_used_at?.toISOString() ?? null,
          revokedAt: token.revoked_at?.toISOString() ?? null,
        })),
      });
    },
    revokeToken: async (call) => {
      await accounts.revokeToken(database, param(call, "accountId"), param(call, "tokenId"));
      return NO_CONTENT;
    },
    exportCustody: async (call) => {
      const { account } = await accountOf(call);
      return { kind: "lines", rows: custodyLedger(database, account.account_id) };
    },
    exportUsage: async (call) => {
      const { account } = await accountOf(call);
      return { kind: "lines", rows: usageLedger(database, account.account_id) };
    },
    getTrustRoot: async () => {
      const { trustDomain, trustRoot } = keys.signer;
      const thumbprint = sha256Hex(fromPem(trustRoot));
      return ok({ trustContext: trustDomain, certificate: trustRoot, thumbprint });
    },
  };
}

/** The columns that a settings body names. @throws Refusal malformedRequest */
function settingsColumns(body: object): Columns {
  if (!settings.Check(body)) throw invalid(body, Object.keys(AccountSettings.properties));
  const { name, registrations, lookups, sequencesEnabled, maxRequestBytes, maxFramesPerSequence } = body;
  return {
    ...(name !== undefined && { name }),
    ...(registrations !== undefined && { registration_grant: registrations }),
    ...(lookups !== undefined && { lookup_grant: lookups }),
    ...(sequencesEnabled !== undefined && { sequences_enabled: sequencesEnabled }),
    ...(maxRequestBytes !== undefined && { max_request_bytes: maxRequestBytes }),
    ...(maxFramesPerSequence !== undefined && { max_frames_per_sequence: maxFramesPerSequence }),
  };
}

function invalid(body: object, known: readonly string[]): ReturnType<typeof refuse> {
  const unknown = Object.keys(body).some((key) => !known.includes(key));
  return refuse("malformedRequest", unknown ? "unknownField" : "invalidField");
}
