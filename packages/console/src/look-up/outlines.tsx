import type { VNode } from "preact";
import { addressOf } from "../components/picture.tsx";
import { colourOf } from "../components/place-number.tsx";
import type { Found, Match } from "./found.ts";

type Corner = readonly [x: number, y: number];

/** The reader's own picture with the numbered outline of each original on it. The sentences beside it say the same. */
export function OutlinedPicture({ file, found }: { file: File; found: Found }): VNode {
  const { size, originals } = found;
  return (
    <figure class="outlined">
      <div>
        <img src={addressOf(file)} alt={`The picture you chose, ${file.name}`} />
        {size !== null && (
          <svg viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
            {originals.map(({ match }, at) =>
              match === null || match.region === null ? null : (
                <Outline key={at} at={at} polygon={match.region} unit={Math.max(size.width, size.height)} />
              ),
            )}
          </svg>
        )}
      </div>
      {originals.some(({ match }) => match?.relation === "derived") && (
        <figcaption class="quiet">
          An outline is the whole frame of an original. What was cut off before it was set into your picture
          does not show.
        </figcaption>
      )}
    </figure>
  );
}

/** The original as an empty frame in its own shape, with the part of it that shows in the picture. */
export function OriginalFrame({ match, at, label }: { match: Match; at: number; label: string }): VNode {
  const { originalWidth: width, originalHeight: height, part } = match;
  const unit = Math.max(width, height);
  return (
    <svg class="original-frame" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <rect class="frame" width={width} height={height} />
      {part !== null && <Outline at={at} polygon={part} unit={unit * 1.6} />}
    </svg>
  );
}

function Outline({ at, polygon, unit }: { at: number; polygon: readonly Corner[]; unit: number }): VNode {
  const points = polygon.map((corner) => corner.join(",")).join(" ");
  const [x, y] = badge(polygon);
  return (
    <g class={`outline ${colourOf(at)}`}>
      <polygon class="halo" points={points} />
      <polygon points={points} />
      <circle cx={x} cy={y} r={unit / 28} />
      <text x={x} y={y} dy="0.35em" font-size={unit / 22}>
        {at + 1}
      </text>
    </g>
  );
}

/** Where the number stands: inside, near the first corner. */
function badge(polygon: readonly Corner[]): Corner {
  const [first = [0, 0]] = polygon;
  const middle = [0, 1].map(
    (axis) => polygon.reduce((sum, corner) => sum + (corner[axis] ?? 0), 0) / polygon.length,
  );
  const [x = 0, y = 0] = first.map((value, axis) => value + ((middle[axis] ?? 0) - value) * 0.25);
  return [x, y];
}
