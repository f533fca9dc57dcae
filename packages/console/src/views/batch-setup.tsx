import { toldMediaType } from "@colophon/formats";
import type { VNode } from "preact";
import { useCallback, useState } from "preact/hooks";
import { Cost } from "../desk/cost.tsx";
import { DropZone } from "../components/drop-zone.tsx";
import { FileInput } from "../components/file-input.tsx";
import { CarriedSwitch } from "../credentials/carried.tsx";
import { canBeSent, manifestsOf, NOTHING_SAID } from "../register/manifest-draft.ts";
import { SaidForm } from "../register/said-form.tsx";
import { byteSize, counted } from "../wording.ts";
import type { BatchTask } from "../batch/batch-task.ts";

/** What was given to work on. */
interface Gathered {
  readonly pictures: readonly File[];
  /** How many files were no pictures. */
  readonly leftOut: number;
}

const NOTHING: Gathered = { pictures: [], leftOut: 0 };

const KINDS: readonly {
  readonly kind: BatchTask["kind"];
  readonly words: string;
  readonly action: string;
}[] = [
  { kind: "lookUp", words: "Find out where it comes from", action: "Look all up" },
  { kind: "check", words: "Make sure that nobody has registered it", action: "Check all" },
  { kind: "register", words: "Register it, with the same manifests for all", action: "Register all" },
];

/** Gathers the files of a batch and asks what to do with them. */
export function BatchSetup({
  onStart,
}: {
  onStart: (task: BatchTask, files: readonly File[]) => void;
}): VNode {
  const [kind, setKind] = useState<BatchTask["kind"]>("lookUp");
  const [{ pictures, leftOut }, setGathered] = useState(NOTHING);
  const [said, setSaid] = useState(NOTHING_SAID);
  const [takesCarried, setTakesCarried] = useState(true);
  const add = useCallback((files: readonly File[]): void => {
    void picturesAmong(files).then((more) =>
      setGathered((before) => ({
        pictures: [...before.pictures, ...more],
        leftOut: before.leftOut + files.length - more.length,
      })),
    );
  }, []);
  const start = (): void =>
    onStart(kind === "register" ? { kind, manifests: manifestsOf(said), takesCarried } : { kind }, pictures);
  const some = pictures.length > 0;
  return (
    <>
      <Gathering pictures={pictures} leftOut={leftOut} onFiles={add} />
      <fieldset>
        <legend>What to do with each</legend>
        {KINDS.map(({ kind: one, words }) => (
          <Choice key={one} kind={one} chosen={kind} onChoose={setKind} words={words} />
        ))}
      </fieldset>
      {kind === "register" && (
        <>
          <CarriedSwitch isOn={takesCarried} onChange={setTakesCarried} />
          <SaidForm said={said} onChange={setSaid} />
        </>
      )}
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={!some || !canBeSent(said)}
          aria-describedby={some ? "cost" : undefined}
          onClick={start}
        >
          {KINDS.find((one) => one.kind === kind)?.action}
        </button>
        {some && (
          <>
            <Cost
              of={kind === "register" ? "registrations" : "lookups"}
              units={pictures.length}
              id="cost"
              atMost
            />
            <button type="button" class="plain" onClick={() => setGathered(NOTHING)}>
              Clear the list
            </button>
          </>
        )}
      </div>
    </>
  );
}

async function picturesAmong(files: readonly File[]): Promise<readonly File[]> {
  const pictures: File[] = [];
  for (const file of files) if (await isPicture(file)) pictures.push(file);
  return pictures;
}

/** A browser goes by a file's name; one whose name says nothing is a picture by its first bytes. */
async function isPicture(file: File): Promise<boolean> {
  if (file.type !== "") return file.type.startsWith("image/");
  return (await toldMediaType(file)) !== null;
}

function Gathering({
  pictures,
  leftOut,
  onFiles,
}: Gathered & { onFiles: (files: readonly File[]) => void }): VNode {
  return (
    <DropZone onFiles={onFiles}>
      <p>
        <span class="for-mice">Drop pictures or whole folders here, or </span>
        <FileInput label="Choose files" accept="image/*" multiple onFiles={onFiles} />{" "}
        <FileInput label="Choose a folder" folder multiple onFiles={onFiles} />
      </p>
      <p role="status">
        {pictures.length > 0 && (
          <>
            <b>{counted(pictures.length, "picture")}</b>,{" "}
            {byteSize(pictures.reduce((sum, { size }) => sum + size, 0))}.{" "}
          </>
        )}
        {leftOut > 0 && <>{counted(leftOut, "file")} left out: no pictures.</>}
      </p>
    </DropZone>
  );
}

function Choice({
  kind,
  chosen,
  onChoose,
  words,
}: {
  kind: BatchTask["kind"];
  chosen: BatchTask["kind"];
  onChoose: (kind: BatchTask["kind"]) => void;
  words: string;
}): VNode {
  return (
    <label class="choice">
      <input type="radio" name="batch-kind" checked={chosen === kind} onChange={() => onChoose(kind)} />
      {words}
    </label>
  );
}
