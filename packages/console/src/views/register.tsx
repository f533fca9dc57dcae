import { ColophonError } from "@colophon/client";
import { withMediaType } from "@colophon/formats";
import type { TargetedSubmitEvent, VNode } from "preact";
import { useCallback, useState } from "preact/hooks";
import type { Registration } from "../answers.ts";
import { ArrivingHeading } from "../components/arriving-heading.tsx";
import { Copyable } from "../components/copyable.tsx";
import { Cost } from "../desk/cost.tsx";
import { Fact, Facts } from "../components/facts.tsx";
import { Picture } from "../components/picture.tsx";
import { PictureInput } from "../components/picture-input.tsx";
import { Problem } from "../components/problem.tsx";
import { CarriedForm, takenManifests, useCarried } from "../credentials/carried.tsx";
import { canBeSent, manifestInput, manifestsOf, NOTHING_SAID } from "../register/manifest-draft.ts";
import { SaidForm } from "../register/said-form.tsx";
import { href } from "../route.ts";
import { useDesk } from "../desk/session.ts";
import { useTask } from "../browser/task.ts";

/** Registers one picture with what is to be said about it. */
export function Register(): VNode {
  const desk = useDesk();
  const [picture, setPicture] = useState<File | null>(null);
  const [carried, setCarried] = useCarried(picture);
  const [said, setSaid] = useState(NOTHING_SAID);
  const task = useTask<Registration>();
  const choose = useCallback((chosen: File) => {
    setPicture(chosen);
    task.reset();
  }, []);
  const register = (image: File): void =>
    task.run(async (signal) => {
      const written = manifestsOf(said).map(manifestInput);
      const manifests = [...written, ...takenManifests(carried, written)];
      const made = await desk.client
        .register(await withMediaType(image), { manifests, signal })
        .finally(() => void desk.refreshUsage());
      desk.remember([{ id: made.id, name: image.name, at: new Date().toISOString() }]);
      return made;
    });
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (picture !== null) register(picture);
  };
  const another = (): void => {
    setPicture(null);
    task.reset();
  };
  const busy = task.state.kind === "busy";
  const ready = picture !== null && carried !== null && canBeSent(said);
  return (
    <>
      <h1>Register a picture</h1>
      <p class="standfirst">
        The registry keeps what you say about the picture and how to recognise it, signed; the picture itself
        it erases.
      </p>
      <form onSubmit={submit} hidden={task.state.kind === "done"}>
        <PictureInput picture={picture} onPicture={choose} />
        <CarriedForm carried={carried} onChange={setCarried} />
        <SaidForm said={said} onChange={setSaid} />
        <div class="actions">
          <button class="primary" disabled={!ready || busy} aria-describedby="cost">
            {busy ? "Registering…" : "Register"}
          </button>
          <Cost of="registrations" id="cost" />
        </div>
      </form>
      {task.state.kind === "failed" && <Refused error={task.state.error} />}
      {task.state.kind === "done" && picture !== null && (
        <Registered made={task.state.result} picture={picture} onAnother={another} />
      )}
    </>
  );
}

function Registered({
  made: { id, originalImageHash },
  picture,
  onAnother,
}: {
  made: Registration;
  picture: File;
  onAnother: () => void;
}): VNode {
  return (
    <section class="sheet registered">
      <ArrivingHeading>Registered</ArrivingHeading>
      <Picture file={picture} />
      <Facts>
        <Fact name="Registration">
          <Copyable name="the registration's id" text={id} />
        </Fact>
        <Fact name="Content hash">
          <Copyable name="the content hash" text={originalImageHash} />
        </Fact>
      </Facts>
      <p>
        Your <a href={href("library")}>library</a> lists it. The content hash (BLAKE3 of the file) is where
        anyone <a href={href("records", originalImageHash)}>reads the record</a>.
      </p>
      <div class="actions">
        <button type="button" class="primary" onClick={onAnother}>
          Register another
        </button>
        <span class="quiet">With the same manifests, to begin with.</span>
      </div>
    </section>
  );
}

const TOO_LARGE =
  "Save it in fewer bytes and register that file, which is then the original. Or ask the operator of this registry to raise the limit.";

/** A refusal; that a picture is registered already is no fault of anybody's, and is explained. */
function Refused({ error }: { error: unknown }): VNode {
  if (error instanceof ColophonError && error.is("imageTooLarge")) {
    return <Problem error={error} advice={TOO_LARGE} />;
  }
  if (!(error instanceof ColophonError && error.is("imageNotRegistered"))) return <Problem error={error} />;
  const { registrationId } = error.extensions;
  return (
    <div class="problem known" role="alert">
      <h2>Already registered</h2>
      <p>{error.detail} Finding that out cost one look-up.</p>
      {registrationId === undefined ? (
        <p>
          No registration of yours covers it: another account registered the original, or it is in a video of
          yours. <a href={href("look-up")}>Look it up</a> to see which, and what its record says; if you think
          that record is wrong, write to the registry's operator.
        </p>
      ) : (
        <p>
          The registration is your own. Manifests never change: to say something else,{" "}
          <a href={href("library", registrationId)}>take it down</a> and register again.
        </p>
      )}
    </div>
  );
}
