import type {
  Account,
  AccountList,
  AccountSettings,
  AccountTakeDown,
  CustodyRow,
  MintedToken,
  OperationRow,
  Suspension,
  Suspensions,
  TokenExpiries,
  TokenList,
  TrustRoot,
  UsageRow,
} from "@colophon/contract";
import { jsonPayload } from "../http/parts.ts";
import { type CallOptions, type ClientOptions, Transport } from "../http/transport.ts";

/**
 * The operator's routes, under the operator's token, in a browser or in Node from version 20. Errors are those of
 * `ColophonClient`.
 *
 * @example
 * const operator = new OperatorClient({ baseUrl, token: adminToken });
 * const { accountId } = await operator.createAccount({ name: "Harbour Press", registrations: 1000, lookups: 5000 });
 * const { token } = await operator.mintToken(accountId, { label: "newsroom" });
 * console.log(token);
 */
export class OperatorClient {
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
  }

  /**
   * Creates an account; a setting left out takes its default, and grants default to 0.
   *
   * @example
   * const { accountId } = await operator.createAccount({ name: "Harbour Press", lookups: 5000 });
   * console.log(accountId);
   */
  createAccount(settings: AccountSettings = {}, options: CallOptions = {}): Promise<Account> {
    const payload = jsonPayload(settings);
    return this.#transport.json({ ...options, method: "POST", path: "/admin/accounts", payload });
  }

  /**
   * Lists every account with its grants and use.
   *
   * @example
   * const { accounts } = await operator.accounts();
   * for (const { name, lookups } of accounts) console.log(name, lookups.remaining);
   */
  accounts(options: CallOptions = {}): Promise<AccountList> {
    return this.#transport.json({ ...options, method: "GET", path: "/admin/accounts", free: true });
  }

  /**
   * Lists the accounts that are suspended.
   *
   * @example
   * const { suspensions } = await operator.suspensions();
   * for (const { accountId, suspendedAt } of suspensions) console.log(accountId, suspendedAt);
   */
  suspensions(options: CallOptions = {}): Promise<Suspensions> {
    return this.#transport.json({ ...options, method: "GET", path: "/admin/suspensions", free: true });
  }

  /**
   * Reads one account.
   *
   * @example
   * const { accountId } = await operator.createAccount({ registrations: 1000 });
   * console.log((await operator.account(accountId)).registrations.remaining); // 1000
   */
  account(accountId: string, options: CallOptions = {}): Promise<Account> {
    return this.#transport.json({ ...options, method: "GET", path: accountPath(accountId), free: true });
  }

  /**
   * Sets what `settings` names and leaves the rest; grants are set absolutely.
   *
   * @example
   * const { accountId } = await operator.createAccount({ name: "Harbour Press" });
   * const { name, lookups } = await operator.updateAccount(accountId, { lookups: 100 });
   * console.log(name); // "Harbour Press"
   * console.log(lookups.grant); // 100
   */
  updateAccount(accountId: string, settings: AccountSettings, options: CallOptions = {}): Promise<Account> {
    const payload = jsonPayload(settings);
    return this.#transport.json({ ...options, method: "PATCH", path: accountPath(accountId), payload });
  }

  /**
   * Mints a token for an account. The answer is the only one that ever shows it.
   *
   * @example
   * const { accountId } = await operator.createAccount({ lookups: 10 });
   * const { token } = await operator.mintToken(accountId, { label: "newsroom" });
   * console.log((await new ColophonClient({ baseUrl, token }).stats()).lookups.remaining); // 10
   */
  mintToken(
    accountId: string,
    { label, ...options }: CallOptions & { readonly label?: string | undefined } = {},
  ): Promise<MintedToken> {
    const path = `${accountPath(accountId)}/tokens`;
    const payload = jsonPayload(label === undefined ? {} : { label });
    return this.#transport.json({ ...options, method: "POST", path, payload });
  }

  /**
   * Lists an account's tokens, revoked ones included, without their secrets.
   *
   * @example
   * const { accountId } = await operator.createAccount();
   * await operator.mintToken(accountId, { label: "newsroom" });
   * const { tokens } = await operator.tokens(accountId);
   * console.log(tokens.map(({ label }) => label)); // ["newsroom"]
   */
  tokens(accountId: string, options: CallOptions = {}): Promise<TokenList> {
    const path = `${accountPath(accountId)}/tokens`;
    return this.#transport.json({ ...options, method: "GET", path, free: true });
  }

  /**
   * Revokes a token at once, in every process of the deployment.
   *
   * @example
   * const { accountId } = await operator.createAccount();
   * const { tokenId } = await operator.mintToken(accountId);
   * await operator.revokeToken(accountId, tokenId);
   */
  async revokeToken(accountId: string, tokenId: string, options: CallOptions = {}): Promise<void> {
    const path = `${accountPath(accountId)}/tokens/${encodeURIComponent(tokenId)}`;
    await this.#transport.json({ ...options, method: "DELETE", path });
  }

  /**
   * Lists when an account's tokens expire.
   *
   * @example
   * const { accountId } = await operator.createAccount();
   * await operator.mintToken(accountId);
   * const { tokens } = await operator.tokenExpiries(accountId);
   * console.log(tokens[0]?.expiresAt); // null
   */
  tokenExpiries(accountId: string, options: CallOptions = {}): Promise<TokenExpiries> {
    const path = `${accountPath(accountId)}/token-expiries`;
    return this.#transport.json({ ...options, method: "GET", path, free: true });
  }

  /**
   * Sets when a token stops opening anything; null: never.
   *
   * @example
   * const { accountId } = await operator.createAccount();
   * const { tokenId } = await operator.mintToken(accountId);
   * await operator.setTokenExpiry(accountId, tokenId, new Date("2030-01-01"));
   */
  async setTokenExpiry(
    accountId: string,
    tokenId: string,
    expiresAt: Date | null,
    options: CallOptions = {},
  ): Promise<void> {
    const path = `${accountPath(accountId)}/tokens/${encodeURIComponent(tokenId)}/expiry`;
    const payload = jsonPayload({ expiresAt: expiresAt?.toISOString() ?? null });
    await this.#transport.json({ ...options, method: "PUT", path, payload });
  }

  /**
   * Says since when an account is suspended.
   *
   * @example
   * const { accountId } = await operator.createAccount();
   * console.log((await operator.suspension(accountId)).suspendedAt); // null
   */
  suspension(accountId: string, options: CallOptions = {}): Promise<Suspension> {
    const path = `${accountPath(accountId)}/suspension`;
    return this.#transport.json({ ...options, method: "GET", path, free: true });
  }

  /**
   * Suspends an account, so that its tokens open nothing. What it registered stays published.
   *
   * @example
   * const { accountId } = await operator.createAccount();
   * await operator.suspendAccount(accountId, "Invoice 4711 is unpaid.");
   */
  async suspendAccount(accountId: string, reason: string, options: CallOptions = {}): Promise<void> {
    await this.#act(`${accountPath(accountId)}/suspend`, reason, options);
  }

  /**
   * Resumes a suspended account.
   *
   * @example
   * const { accountId } = await operator.createAccount();
   * await operator.resumeAccount(accountId, "Invoice 4711 is paid.");
   */
  async resumeAccount(accountId: string, reason: string, options: CallOptions = {}): Promise<void> {
    await this.#act(`${accountPath(accountId)}/resume`, reason, options);
  }

  /**
   * Takes down originals and published frames of an account for good, a bounded number at a time: call it again while
   * the answer says `more`.
   *
   * @example
   * const { accountId } = await operator.createAccount();
   * const { takenDown } = await operator.takeDownAccount(accountId, "Court order 12/34.");
   * console.log(takenDown); // 0
   */
  takeDownAccount(accountId: string, reason: string, options: CallOptions = {}): Promise<AccountTakeDown> {
    return this.#act(`${accountPath(accountId)}/take-down`, reason, options);
  }

  /**
   * Streams an account's custody ledger in order. `verifyLedger` of `@colophon/formats` checks its chain as it passes.
   *
   * @example
   * const { accountId } = await operator.createAccount();
   * console.log((await verifyLedger(operator.custody(accountId))).intact); // true
   */
  custody(accountId: string, options: CallOptions = {}): AsyncGenerator<CustodyRow> {
    return this.#transport.rows({ ...options, method: "GET", path: `${accountPath(accountId)}/custody` });
  }

  /**
   * Streams an account's usage ledger in order.
   *
   * @example
   * const { accountId } = await operator.createAccount();
   * let units = 0;
   * for await (const row of operator.usage(accountId)) units += row.units;
   * console.log(units); // 0
   */
  usage(accountId: string, options: CallOptions = {}): AsyncGenerator<UsageRow> {
    return this.#transport.rows({ ...options, method: "GET", path: `${accountPath(accountId)}/usage` });
  }

  /**
   * Streams in order what operators did to originals of an account, each with its reason.
   *
   * @example
   * const { accountId } = await operator.createAccount();
   * for await (const { kind, reason } of operator.operations(accountId)) console.log(kind, reason);
   */
  operations(accountId: string, options: CallOptions = {}): AsyncGenerator<OperationRow> {
    return this.#transport.rows({ ...options, method: "GET", path: `${accountPath(accountId)}/operations` });
  }

  /**
   * Sets an original aside: it answers equal bytes alone, and matches nothing by content. What is set aside already
   * stays so. Refused as `originalNotFound` where no live original has the hash.
   *
   * @example
   * const { originalImageHash } = await client.register(photo);
   * await operator.setOriginalAside(originalImageHash, "an empty form");
   */
  async setOriginalAside(
    originalImageHash: string,
    reason: string,
    options: CallOptions = {},
  ): Promise<void> {
    await this.#act(`${originalPath(originalImageHash)}/set-aside`, reason, options);
  }

  /**
   * Lets an original that was set aside match by content again.
   *
   * @example
   * const { originalImageHash } = await client.register(photo);
   * await operator.setOriginalAside(originalImageHash, "an empty form");
   * await operator.reinstateOriginal(originalImageHash, "a photograph after all");
   */
  async reinstateOriginal(
    originalImageHash: string,
    reason: string,
    options: CallOptions = {},
  ): Promise<void> {
    await this.#act(`${originalPath(originalImageHash)}/reinstate`, reason, options);
  }

  /**
   * Takes an original or published frame of any account down for good.
   *
   * @example
   * const { originalImageHash } = await client.register(photo);
   * await operator.takeDownOriginal(originalImageHash, "Court order 12/34.");
   */
  async takeDownOriginal(
    originalImageHash: string,
    reason: string,
    options: CallOptions = {},
  ): Promise<void> {
    await this.#act(`${originalPath(originalImageHash)}/take-down`, reason, options);
  }

  #act<Answer>(path: string, reason: string, options: CallOptions): Promise<Answer> {
    return this.#transport.json({ ...options, method: "POST", path, payload: jsonPayload({ reason }) });
  }

  /**
   * Reads the root certificate that every record leads to, for the operator to publish.
   *
   * @example
   * const { certificate, thumbprint } = await operator.trustRoot();
   * console.log(certificate, thumbprint);
   */
  trustRoot(options: CallOptions = {}): Promise<TrustRoot> {
    return this.#transport.json({ ...options, method: "GET", path: "/admin/trust-root", free: true });
  }
}

function accountPath(accountId: string): string {
  return `/admin/accounts/${encodeURIComponent(accountId)}`;
}

function originalPath(originalImageHash: string): string {
  return `/admin/originals/${encodeURIComponent(originalImageHash)}`;
}
