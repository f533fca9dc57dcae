import type { LookupVerdict } from "../answers.ts";
import type { VNode } from "preact";
import { useCallback, useState } from "preact/hooks";
import { ArrivingHeading } from "../components/arriving-heading.tsx";
import { Copyable } from "../components/copyable.tsx";
import { Cost } from "../components/cost.tsx";
import { PictureInput } from "../components/picture-input.tsx";
import { Problem } from "../components/problem.tsx";
import { RecordReader } from "../record/record-reader.tsx";
import { href } from "../route.ts";
import { useDesk } from "../session.ts";
import { useTask } from "../task.ts";
import { counted } from "../wording.ts";

interface Answer {
  readonly verdict: LookupVerdict;
  readonly file: Uint8Array;
}

/** Asks where a picture comes from. */
export function LookUp(): VNode {
  const desk = useDesk();
  const [picture, setPicture] = useState<File | null>(null);
  const task = useTask<Answer>();
  const choose = useCallback((chosen: File) => {
    setPicture(chosen);
    task.reset();
  }, []);
  const lookUp = (image: File): void =>
    task.run(async (signal) => {
      const verdict = await desk.client.lookUp(image, { signal });
      await desk.refreshUsage();
      return { verdict, file: new Uint8Array(await image.arrayBuffer()) };
    });
  const busy = task.state.kind === "busy";
  return (
    <>
      <h1>Where does it come from?</h1>
      <p class="standfirst">
        Give a picture: a crop, a screenshot or a copy saved again will do. The registry looks for the
        original it was made from, and erases what you sent as soon as it has answered.
      </p>
      <PictureInput picture={picture} onPicture={choose}>
        {picture !== null && (
          <div class="actions">
            <button
              type="button"
              class="primary"
              disabled={busy}
              aria-describedby="cost"
              onClick={() => lookUp(picture)}
            >
              {busy ? "Looking…" : "Look it up"}
            </button>
            <Cost of="lookups" id="cost" />
          </div>
        )}
      </PictureInput>
      {task.state.kind === "failed" && picture !== null && (
        <Problem error={task.state.error} retry={() => lookUp(picture)} />
      )}
      {task.state.kind === "done" && <Answered {...task.state.result} />}
    </>
  );
}

function Answered({ verdict, file }: Answer): VNode {
  const { matched, matchedOriginalImageHashes: originals, candidates } = verdict;
  if (!matched) {
    return (
      <section>
        <ArrivingHeading>Nobody holds it</ArrivingHeading>
        <p>
          No live registration here covers this picture or an original it was made from. That says nothing
          about what was never registered here. <a href={href("register")}>Register it</a> if it is yours.
        </p>
      </section>
    );
  }
  return (
    <section>
      <ArrivingHeading>
        {originals.length === 1
          ? "One original is held"
          : `${counted(originals.length, "original")} are held`}
      </ArrivingHeading>
      {candidates.map(({ registrationId }) => (
        <p key={registrationId}>
          It is covered by a registration of yours,{" "}
          <Copyable name="the registration's id" text={registrationId} />
        </p>
      ))}
      {candidates.length === 0 && <p>It is held by another account; records never say by which.</p>}
      {originals.map((hash) => (
        <RecordReader key={hash} hash={hash} file={file} />
      ))}
    </section>
  );
}
