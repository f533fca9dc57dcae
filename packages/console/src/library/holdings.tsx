import type { ColophonClient } from "@colophon/client";
import { isHash, isUuid } from "@colophon/formats";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "../components/problem.tsx";
import { useObserved } from "../browser/observable.ts";
import { href } from "../route.ts";
import { useDesk } from "../desk/session.ts";
import { useTask } from "../browser/task.ts";
import { counted, instant } from "../wording.ts";

type Page = Awaited<ReturnType<ColophonClient["library"]["registrations"]>>;
type Registration = Page["registrations"][number];

const PAGE = 100;
/** Of a hash, in a list; the record shows it whole. */
const SHOWN_DIGITS = 16;

/** The account's registrations, or the one that a hash or an id names. */
export function Holdings({
  wanted,
  onTakeDown,
}: {
  wanted: string;
  onTakeDown: (registrationId: string) => void;
}): VNode {
  const desk = useDesk();
  const names = new Map(useObserved(desk.registrations).map(({ id, name }) => [id, name]));
  const [shown, setShown] = useState<Page>({ registrations: [], next: null });
  const task = useTask<Page>();
  const read = (after: string | null): void =>
    task.run(async (signal) => {
      const page = await pageOf(desk.client, wanted, after, signal);
      setShown(({ registrations }) => ({
        registrations: after === null ? page.registrations : [...registrations, ...page.registrations],
        next: page.next,
      }));
      return page;
    });
  useEffect(() => read(null), []);
  const { registrations, next } = shown;
  if (task.state.kind === "failed") return <Problem error={task.state.error} retry={() => read(null)} />;
  if (task.state.kind !== "done" && registrations.length === 0) return <p class="quiet">Reading…</p>;
  return (
    <section>
      <h2>{registrations.length === 0 ? NOTHING[wanted === "" ? "all" : "found"] : "Registered"}</h2>
      {registrations.length === 0 && <Nothing isSearched={wanted !== ""} />}
      <ul class="rows">
        {registrations.map((registration) => (
          <Row
            key={`${registration.registrationId} ${registration.originalImageHash}`}
            registration={registration}
            name={names.get(registration.registrationId ?? "")}
            onTakeDown={onTakeDown}
          />
        ))}
      </ul>
      {next !== null && (
        <button type="button" disabled={task.state.kind === "busy"} onClick={() => read(next)}>
          Show more
        </button>
      )}
    </section>
  );
}

const NOTHING = {
  all: "Nothing registered yet",
  found: "None of your registrations has that hash or id",
} as const;

/** What to do where nothing is listed. */
function Nothing({ isSearched }: { isSearched: boolean }): VNode {
  return isSearched ? (
    <p>
      A crop or a copy saved again has another hash: <a href={href("look-up")}>look it up</a> to see whether
      it is yours.
    </p>
  ) : (
    <p>
      <a href={href("register")}>Register a picture</a>, or <a href={href("batch")}>many at once</a>; they are
      listed here, in any browser that you sign in with.
    </p>
  );
}

function Row({
  registration,
  name,
  onTakeDown,
}: {
  registration: Registration;
  name: string | undefined;
  onTakeDown: (registrationId: string) => void;
}): VNode {
  const { registrationId, originalImageHash, registeredAt, manifests, sequenceId, frameId } = registration;
  const kinds = manifests.map(({ type }) => type).join(", ");
  return (
    <li>
      <span>
        {name ?? (sequenceId === null ? "A picture" : `Frame ${frameId} of sequence ${sequenceId}`)},{" "}
        {instant(new Date(registeredAt))}
        <br />
        <span class="quiet">
          {manifests.length === 0 ? "No manifest" : `${counted(manifests.length, "manifest")}: ${kinds}`}
        </span>
        <br />
        <a class="quiet" href={href("records", originalImageHash)}>
          Its record, <code>{originalImageHash.slice(0, SHOWN_DIGITS)}…</code>
        </a>
      </span>
      {registrationId !== null && (
        <button
          type="button"
          aria-label={`Take down ${name ?? registrationId}`}
          onClick={() => onTakeDown(registrationId)}
        >
          Take down…
        </button>
      )}
    </li>
  );
}

async function pageOf(
  { library }: ColophonClient,
  wanted: string,
  after: string | null,
  signal: AbortSignal,
): Promise<Page> {
  if (wanted === "") return library.registrations({ limit: PAGE, after: after ?? undefined, signal });
  if (isUuid(wanted)) {
    // Of another account's id the library says what it says of one that never was.
    const found = await library.registration(wanted, { signal }).catch(() => null);
    return { registrations: found === null ? [] : [found], next: null };
  }
  if (!isHash(wanted)) return { registrations: [], next: null };
  const byOriginal = await library.registrations({ originalImageHash: wanted, signal });
  if (byOriginal.registrations.length > 0) return byOriginal;
  return library.registrations({ imageHash: wanted, signal });
}
