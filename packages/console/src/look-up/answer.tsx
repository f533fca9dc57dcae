import { placeInWords } from "@colophon/client";
import { Fragment, type VNode } from "preact";
import { ArrivingHeading } from "../components/arriving-heading.tsx";
import { Copyable } from "../components/copyable.tsx";
import { PlaceNumber } from "../components/place-number.tsx";
import { Recovered } from "./recovered.tsx";
import { RecordReader } from "../record/record-reader.tsx";
import { href } from "../route.ts";
import { useDesk } from "../desk/session.ts";
import { numbered } from "../wording.ts";
import type { Found, FoundOriginal, Match } from "./found.ts";
import { OriginalFrame, OutlinedPicture } from "./outlines.tsx";

/** A look-up's answer: the reader's own picture with the places in it, and of each original what is known. */
export function Answer({ found, picture, bytes }: { found: Found; picture: File; bytes: Uint8Array }): VNode {
  const { originals, registrationIds } = found;
  const { hasAccount } = useDesk();
  return (
    <section class="answer">
      <ArrivingHeading>
        {originals.length === 0
          ? "No match in this registry"
          : `${numbered(originals.length, "original")} found`}
      </ArrivingHeading>
      {originals.length === 0 && (
        <p>
          Nothing that is registered here shows in this picture. That says nothing about what was never
          registered here.{" "}
          {hasAccount && (
            <>
              <a href={href("register")}>Register it</a> if it is yours.
            </>
          )}
        </p>
      )}
      {registrationIds.map((id) => (
        <p key={id}>
          Yours, <Copyable name="the registration's id" text={id} />
        </p>
      ))}
      <div class="found">
        <OutlinedPicture file={picture} found={found} />
        <ol>
          {originals.map((original, at) => (
            <Original key={original.hash} original={original} at={at} />
          ))}
        </ol>
      </div>
      {originals.map(({ hash }, at) => (
        <Fragment key={hash}>
          <Recovered hash={hash} file={bytes} />
          <RecordReader hash={hash} file={bytes} number={originals.length > 1 ? at + 1 : null} />
        </Fragment>
      ))}
    </section>
  );
}

/** What of one original shows, in its frame and in words, and whose it is. */
function Original({ original: { match }, at }: { original: FoundOriginal; at: number }): VNode {
  const { hasAccount } = useDesk();
  if (match === null) {
    return (
      <li class="placeless">
        <PlaceNumber at={at} />
        <p class="place">The picture shows this original.</p>
      </li>
    );
  }
  return (
    <li>
      <OriginalFrame match={match} at={at} label="The original's frame with the part that shows" />
      <div>
        <p class="place">
          <PlaceNumber at={at} /> {placeInWords(match)}
        </p>
        <p class="quiet">
          The original has {match.originalWidth.toLocaleString("en")}&nbsp;×&nbsp;
          {match.originalHeight.toLocaleString("en")} pixels.
        </p>
        {hasAccount && <Ownership own={match.own} />}
      </div>
    </li>
  );
}

function Ownership({ own }: Pick<Match, "own">): VNode {
  if (own === null) return <p class="quiet">Another account registered it; records never say which.</p>;
  if (own.kind === "frame") {
    return (
      <p class="quiet">
        It is yours: frame {own.frameId} of the sequence{" "}
        <Copyable name="the sequence's id" text={own.sequenceId} />
      </p>
    );
  }
  return (
    <p class="quiet">
      It is yours: see it in <a href={href("library", own.registrationId)}>your library</a>.
    </p>
  );
}
