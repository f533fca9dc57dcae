import type { CredentialsJudgement, Finding, Ingredient, Thumbnail } from "@colophon/credentials";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Fact, Facts } from "../components/facts.tsx";
import { addressOf } from "../components/picture.tsx";
import { ResultMark } from "../components/result-mark.tsx";
import { instant } from "../wording.ts";

const VERDICTS = {
  trusted: {
    result: "passed",
    title: "The credentials hold",
    says: "A list that you trust vouches for who signed them:",
  },
  unknownSigner: {
    result: "notChecked",
    title: "The credentials hold",
    says: "No list that you have loaded vouches for who signed them. Anybody can sign under any name.",
  },
  broken: {
    result: "failed",
    title: "The credentials do not hold",
    says: "Do not rely on what they say.",
  },
} as const;

/** What Content Credentials say and whether they hold. Every text in them is their maker's. */
export function JudgementView({ judgement }: { judgement: CredentialsJudgement }): VNode {
  const { label, generator, title, signer, signedAt, actions, ingredients } = judgement;
  const { thumbnail, isFileChecked, trustedBy, findings, verdict } = judgement;
  const { result, title: heading, says } = VERDICTS[verdict];
  return (
    <>
      <div class={`verdict small ${result}`} role="status">
        <ResultMark result={result} />
        <div>
          <strong>{heading}</strong>
          <p>
            {says} {trustedBy.join(", ")}
          </p>
        </div>
      </div>
      <Findings findings={findings} />
      <div class="credentials">
        {thumbnail !== null && <Small thumbnail={thumbnail} of={title ?? "the picture"} />}
        <Facts>
          <Fact name="Signed by">{signer ?? "nobody that is named"}</Fact>
          <Fact name="Signed at">
            {signedAt === null ? "no time that a list vouches for" : instant(new Date(signedAt))}
          </Fact>
          <Fact name="Made with">{generator === "" ? "not stated" : generator}</Fact>
          {title !== null && <Fact name="Title">{title}</Fact>}
          <Fact name="Your file">
            {isFileChecked
              ? "checked: it is the file that was signed."
              : "not checked against the file: it does not carry these credentials, so they cannot tell what was changed in it."}
          </Fact>
          <Fact name="Label">
            <code>{label}</code>
          </Fact>
        </Facts>
      </div>
      <Actions actions={actions} />
      <Ingredients ingredients={ingredients} />
    </>
  );
}

function Actions({ actions }: Pick<CredentialsJudgement, "actions">): VNode | null {
  if (actions.length === 0) return null;
  return (
    <section>
      <h4>What was done</h4>
      <ol class="actions-done">
        {actions.map(({ code, sentence }, at) => (
          <li key={at}>
            {sentence} {sentence !== code && <code class="quiet">{code}</code>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Ingredients({ ingredients }: Pick<CredentialsJudgement, "ingredients">): VNode | null {
  if (ingredients.length === 0) return null;
  return (
    <section>
      <h4>What it was made from</h4>
      <ul class="ingredients">
        {ingredients.map((ingredient, at) => (
          <IngredientView key={at} ingredient={ingredient} />
        ))}
      </ul>
    </section>
  );
}

const RELATIONSHIPS: Readonly<Record<string, string>> = {
  parentOf: "what it was edited from",
  componentOf: "a part of it",
  inputTo: "given to what made it",
};

function IngredientView({ ingredient }: { ingredient: Ingredient }): VNode {
  const { title, relationship, hasCredentials, thumbnail, findings } = ingredient;
  const words = RELATIONSHIPS[relationship ?? ""];
  return (
    <li class="credentials">
      {thumbnail !== null && <Small thumbnail={thumbnail} of={title} />}
      <div>
        <p>
          <b>{title}</b>
          {words !== undefined && <>, {words}</>}
          {hasCredentials ? ", with credentials of its own." : ", without credentials of its own."}
        </p>
        <Findings findings={findings} />
      </div>
    </li>
  );
}

function Findings({ findings }: { findings: readonly Finding[] }): VNode | null {
  if (findings.length === 0) return null;
  return (
    <ul class="findings">
      {findings.map(({ code, sentence }) => (
        <li key={code}>
          {sentence} <code class="quiet">{code}</code>
        </li>
      ))}
    </ul>
  );
}

function Small({ thumbnail, of }: { thumbnail: Thumbnail; of: string }): VNode {
  const file = useMemo(() => new File([thumbnail.bytes], of, { type: thumbnail.type }), [thumbnail]);
  return (
    <figure class="small-picture">
      <img src={addressOf(file)} alt={`Thumbnail in the credentials of ${of}`} />
    </figure>
  );
}
