import type { OperatorClient } from "@colophon/client";
import type { TargetedSubmitEvent, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useArrivalFocus } from "../browser/arrival-focus.ts";
import { ArrivingHeading } from "../components/arriving-heading.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { Copyable } from "../components/copyable.tsx";
import { Problem } from "../components/problem.tsx";
import { TextField } from "../components/text-field.tsx";
import { type Task, useTask } from "../browser/task.ts";
import { instant } from "../wording.ts";
import type { MintedToken, Token } from "./answers.ts";
import { useOperator } from "./use-operator.ts";

/** An account's tokens: minted here and shown once, listed without their secrets, revoked for good. */
export function Tokens({ accountId }: { accountId: string }): VNode {
  const operator = useOperator();
  const { listed, listing, list } = useTokenList(operator, accountId);
  const [minted, setMinted] = useState<MintedToken | null>(null);
  const [asked, setAsked] = useState<Token | null>(null);
  const [revoked, setRevoked] = useState<Token | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const changing = useTask<void>();
  const mint = (label: string, until: Date | null): void =>
    changing.run(async (signal) => {
      const token = await operator.mintToken(accountId, { ...(label === "" ? {} : { label }), signal });
      setMinted(token);
      if (until !== null) await operator.setTokenExpiry(accountId, token.tokenId, until, { signal });
      list();
    });
  const revoke = (token: Token): void =>
    changing.run(async (signal) => {
      try {
        await operator.revokeToken(accountId, token.tokenId, { signal });
      } finally {
        setAsked(null);
      }
      if (minted?.tokenId === token.tokenId) setMinted(null);
      setRevoked(token);
      list();
    });
  const forget = (): void => {
    setMinted(null);
    heading.current?.focus();
  };
  const busy = changing.state.kind === "busy";
  return (
    <section>
      <h2 ref={heading} tabIndex={-1}>
        Tokens
      </h2>
      {minted !== null && <Minted token={minted.token} onKept={forget} />}
      {revoked !== null && <Revoked key={revoked.tokenId} token={revoked} />}
      {listing.state.kind === "failed" && <Problem error={listing.state.error} retry={list} />}
      {changing.state.kind === "failed" && <Problem error={changing.state.error} />}
      <TokenList {...listed} onAsk={setAsked} />
      <MintForm busy={busy} onMint={mint} />
      {asked !== null && (
        <ConfirmDialog
          title={`Revoke ${nameOf(asked)} for good?`}
          action="Revoke it for good"
          busy={busy}
          onConfirm={() => revoke(asked)}
          onClose={() => setAsked(null)}
        >
          <p>It opens nothing from this moment on, in every process. Anyone who uses it needs another.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

/** An account's tokens and when each ends by itself, as they were listed last. */
interface Listed {
  readonly tokens: readonly Token[];
  readonly ends: ReadonlyMap<string, string | null>;
}

/** Lists the tokens, and again whenever `list` is called. */
function useTokenList(
  operator: OperatorClient,
  accountId: string,
): { listed: Listed; listing: Task<void>; list: () => void } {
  const [listed, setListed] = useState<Listed>({ tokens: [], ends: new Map() });
  const listing = useTask<void>();
  const list = (): void =>
    listing.run(async (signal) => {
      const [{ tokens }, expiries] = await Promise.all([
        operator.tokens(accountId, { signal }),
        operator.tokenExpiries(accountId, { signal }),
      ]);
      const ends = new Map(expiries.tokens.map(({ tokenId, expiresAt }) => [tokenId, expiresAt]));
      setListed({ tokens, ends });
    });
  useEffect(list, [operator, accountId]);
  return { listed, listing, list };
}

function Minted({ token, onKept }: { token: string; onKept: () => void }): VNode {
  return (
    <div class="sheet minted">
      <ArrivingHeading>The token, this once</ArrivingHeading>
      <p class="minted-token">
        <Copyable name="the token" text={token} />
      </p>
      <p>
        Hand it over through a channel you trust. The registry keeps only a hash of it: once this is closed,
        nobody can show it again.
      </p>
      <button type="button" onClick={onKept}>
        I have kept it
      </button>
    </div>
  );
}

function Revoked({ token }: { token: Token }): VNode {
  const notice = useArrivalFocus<HTMLParagraphElement>();
  return (
    <p ref={notice} tabIndex={-1} class="notice">
      Revoked: {nameOf(token)}. It opens nothing any more.
    </p>
  );
}

function TokenList({ tokens, ends, onAsk }: Listed & { onAsk: (token: Token) => void }): VNode {
  if (tokens.length === 0) return <p class="quiet">None yet: nobody can use the account.</p>;
  return (
    <ul class="rows">
      {tokens.map((token) => (
        <li key={token.tokenId}>
          <span>
            {nameOf(token)}
            <br />
            <span class="quiet">{historyOf(token, ends.get(token.tokenId) ?? null)}</span>
          </span>
          {token.revokedAt === null ? (
            <button type="button" aria-label={`Revoke ${nameOf(token)}`} onClick={() => onAsk(token)}>
              Revoke…
            </button>
          ) : (
            <span class="state tone-fault">Revoked</span>
          )}
        </li>
      ))}
    </ul>
  );
}

function MintForm({
  busy,
  onMint,
}: {
  busy: boolean;
  onMint: (label: string, until: Date | null) => void;
}): VNode {
  const [label, setLabel] = useState("");
  const [day, setDay] = useState("");
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onMint(label.trim(), day === "" ? null : new Date(`${day}T00:00:00Z`));
    setLabel("");
    setDay("");
  };
  return (
    <form onSubmit={submit} class="mint">
      <TextField
        id="token-label"
        label="Who or what it is for"
        maxLength={200}
        value={label}
        onChange={setLabel}
      />
      <div class="field">
        <label for="token-end">Ends on (UTC), if ever</label>
        <input
          id="token-end"
          type="date"
          value={day}
          onInput={({ currentTarget }) => setDay(currentTarget.value)}
        />
      </div>
      <button class="primary" disabled={busy}>
        Mint a token
      </button>
    </form>
  );
}

function nameOf({ label, tokenId }: Token): string {
  return label === null || label === "" ? `token ${tokenId.slice(0, 8)}` : label;
}

function historyOf({ createdAt, lastUsedAt, revokedAt }: Token, endsAt: string | null): string {
  const used = lastUsedAt === null ? "never used" : `last used ${instant(new Date(lastUsedAt))}`;
  const revoked = revokedAt === null ? "" : `, revoked ${instant(new Date(revokedAt))}`;
  const end = endsAt === null || revokedAt !== null ? "" : `, ends ${instant(new Date(endsAt))}`;
  return `Minted ${instant(new Date(createdAt))}, ${used}${revoked}${end}`;
}
