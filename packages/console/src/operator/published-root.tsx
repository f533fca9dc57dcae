import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { Copyable } from "../components/copyable.tsx";
import { Fact, Facts } from "../components/facts.tsx";
import { Problem } from "../components/problem.tsx";
import { saveFile } from "../browser/save-file.ts";
import { useTask } from "../browser/task.ts";
import { grouped } from "../wording.ts";
import type { TrustRoot } from "./answers.ts";
import { useOperator } from "./use-operator.ts";

/** The root certificate of this registry, for its operator to publish. */
export function PublishedRoot(): VNode {
  const operator = useOperator();
  const task = useTask<TrustRoot>();
  const ask = (): void => task.run((signal) => operator.trustRoot({ signal }));
  useEffect(ask, [operator]);
  return (
    <>
      <h1>Trust root</h1>
      <p class="standfirst">
        Every record this registry signs leads to one certificate. Publish it, or its fingerprint, where your
        readers trust you, such as your own website: a root that comes with the record it is to vouch for
        proves nothing.
      </p>
      {task.state.kind === "failed" && <Problem error={task.state.error} retry={ask} />}
      {task.state.kind === "done" && <Root {...task.state.result} />}
    </>
  );
}

function Root({ trustContext, thumbprint, certificate }: TrustRoot): VNode {
  return (
    <section class="sheet">
      <Facts>
        <Fact name="Trust domain">{trustContext}</Fact>
        <Fact name="SHA-256">
          <Copyable name="the fingerprint" text={thumbprint} shown={grouped(thumbprint)} />
        </Fact>
      </Facts>
      <button
        type="button"
        class="primary"
        onClick={() => saveFile(`${trustContext}-root.pem`, "application/x-pem-file", certificate)}
      >
        Save the certificate
      </button>
    </section>
  );
}
