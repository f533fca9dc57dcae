import { isManifestKind } from "@colophon/formats";
import type { VNode } from "preact";
import { useCallback, useState } from "preact/hooks";
import { Cost } from "../components/cost.tsx";
import { DropZone } from "../components/drop-zone.tsx";
import { FileInput } from "../components/file-input.tsx";
import { CreditForm } from "../register/credit-form.tsx";
import { type Credit, creditManifest, EMPTY_CREDIT, type ManifestDraft } from "../register/manifest-draft.ts";
import { ManifestFiles } from "../register/manifest-files.tsx";
import { byteSize, counted } from "../wording.ts";
import type { BatchTask } from "./batch-run.ts";

/** Gathers the files of a batch and asks what to do with them. */
export function BatchSetup({
  onStart,
}: {
  onStart: (task: BatchTask, files: readonly File[]) => void;
}): VNode {
  const [kind, setKind] = useState<BatchTask["kind"]>("lookUp");
  const [files, setFiles] = useState<readonly File[]>([]);
  const [leftOut, setLeftOut] = useState(0);
  const [credit, setCredit] = useState<Credit>(EMPTY_CREDIT);
  const [drafts, setDrafts] = useState<readonly ManifestDraft[]>([]);
  const add = useCallback((more: readonly File[]) => {
    const pictures = more.filter(({ type }) => type.startsWith("image/"));
    setFiles((before) => [...before, ...pictures]);
    setLeftOut((before) => before + more.length - pictures.length);
  }, []);
  const start = (): void => {
    const written = creditManifest(credit);
    const manifests = written === null ? drafts : [written, ...drafts];
    onStart(kind === "register" ? { kind, manifests } : { kind }, files);
  };
  const ready = files.length > 0 && drafts.every((draft) => isManifestKind(draft.kind));
  return (
    <>
      <DropZone onFiles={add}>
        <p>
          Drop pictures or whole folders here, or{" "}
          <FileInput label="Choose files" accept="image/*" multiple onFiles={add} />{" "}
          <FileInput label="Choose a folder" folder multiple onFiles={add} />
        </p>
        <p role="status">
          {files.length > 0 && (
            <>
              <b>{counted(files.length, "picture")}</b>,{" "}
              {byteSize(files.reduce((sum, { size }) => sum + size, 0))}.{" "}
            </>
          )}
          {leftOut > 0 && <>{counted(leftOut, "file")} left out: no pictures.</>}
        </p>
      </DropZone>
      <fieldset>
        <legend>What to do with each</legend>
        <Choice kind="lookUp" chosen={kind} onChoose={setKind} words="Look it up: does anyone hold it?" />
        <Choice
          kind="register"
          chosen={kind}
          onChoose={setKind}
          words="Register it, with the same manifests for all"
        />
      </fieldset>
      {kind === "register" && (
        <>
          <CreditForm credit={credit} onChange={setCredit} />
          <ManifestFiles drafts={drafts} onChange={setDrafts} />
        </>
      )}
      <div class="actions">
        <button type="button" class="primary" disabled={!ready} aria-describedby="cost" onClick={start}>
          {kind === "register" ? "Register all" : "Look all up"}
        </button>
        {files.length > 0 && (
          <Cost
            of={kind === "register" ? "registrations" : "lookups"}
            units={files.length}
            id="cost"
            atMost
          />
        )}
        {files.length > 0 && (
          <button type="button" class="plain" onClick={() => setFiles([])}>
            Clear the list
          </button>
        )}
      </div>
    </>
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
