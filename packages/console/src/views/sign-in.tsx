import { ColophonError } from "@colophon/client";
import type { TargetedSubmitEvent, VNode } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../components/problem.tsx";
import { TextField } from "../components/text-field.tsx";
import { checkToken } from "../desk/check-token.ts";
import { useTask } from "../browser/task.ts";
import type { Role, Session } from "../desk/session.ts";

const ROLES: readonly { readonly role: Role; readonly title: string; readonly says: string }[] = [
  { role: "account", title: "An account's token", says: "Look up, register, verify, take down." },
  { role: "operator", title: "The operator's token", says: "Accounts, allowances, tokens, ledgers." },
];

const USES = [
  { title: "Ask.", says: "Drop a picture, or a piece of one: is the original registered here?" },
  { title: "Verify.", says: "Your browser checks the record's signatures, step by step, and shows each." },
  { title: "Register.", says: "Say who made it and how it may be used. The picture itself is not kept." },
] as const;

/** Asks for a token, tries it, and opens the session. */
export function SignIn({ onSignIn }: { onSignIn: (session: Session) => void }): VNode {
  const [role, setRole] = useState<Role>("account");
  const [token, setToken] = useState("");
  const task = useTask<void>();
  const signIn = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const session = { role, token: token.trim() };
    task.run(async () => {
      await checkToken(session);
      onSignIn(session);
    });
  };
  return (
    <>
      <h1>Where does this picture come from?</h1>
      <p class="standfirst">
        This registry keeps who said what about a picture, finds the original again from a crop or a
        screenshot, and lets you verify the answer yourself. It asks for a token, which its operator gives
        out.
      </p>
      <div class="sign-in">
        <form class="sheet" onSubmit={signIn}>
          <fieldset>
            <legend>Sign in with</legend>
            {ROLES.map(({ role: one, title, says }) => (
              <label key={one} class="choice">
                <input type="radio" name="role" checked={role === one} onChange={() => setRole(one)} />
                <span>
                  {title} <span class="quiet">{says}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <TextField
            id="token"
            label="Token"
            hint="Kept in this tab only, and gone when you close it."
            secret
            required
            value={token}
            onChange={setToken}
          />
          <button class="primary" disabled={task.state.kind === "busy"}>
            {task.state.kind === "busy" ? "Asking the service…" : "Sign in"}
          </button>
          {task.state.kind === "failed" && <Refused error={task.state.error} role={role} />}
        </form>
        <Uses />
      </div>
    </>
  );
}

/** Why the token opened nothing. */
function Refused({ error, role }: { error: unknown; role: Role }): VNode {
  if (!(error instanceof ColophonError && error.is("unauthorized"))) return <Problem error={error} />;
  const other = role === "account" ? "The operator's token" : "An account's token";
  return (
    <div class="problem" role="alert">
      <h2>This token opens nothing here</h2>
      <p>
        It is mistyped, revoked, expired, or of the other kind: “{other}” above. Ask the operator of{" "}
        {location.host} for another.
      </p>
    </div>
  );
}

function Uses(): VNode {
  return (
    <ol class="uses">
      {USES.map(({ title, says }) => (
        <li key={title}>
          <b>{title}</b> {says}
        </li>
      ))}
    </ol>
  );
}
