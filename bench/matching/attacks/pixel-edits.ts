import type { Random } from "@colophon/testing/pictures.ts";
import type { Pixels } from "./attack.ts";
import { after, inverse, placed, type PlaneMap, type Point, shift, stretch } from "./plane-map.ts";

/** Takes every pixel from where `from` says, between four pixels; edges held. */
function moved(picture: Pixels, from: (x: number, y: number) => readonly [number, number]): Pixels {
  const { width, height, data } = picture;
  const target = Buffer.alloc(data.length);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [fx, fy] = from(x, y);
      const sx = Math.min(width - 1.001, Math.max(0, fx));
      const sy = Math.min(height - 1.001, Math.max(0, fy));
      const [tx, ty] = [sx % 1, sy % 1];
      const corner = 3 * (Math.floor(sy) * width + Math.floor(sx));
      for (let channel = 0; channel < 3; channel += 1, at += 1) {
        const above = data[corner + channel]! * (1 - tx) + data[corner + channel + 3]! * tx;
        const below =
          data[corner + channel + 3 * width]! * (1 - tx) + data[corner + channel + 3 * width + 3]! * tx;
        target[at] = Math.round(above * (1 - ty) + below * ty);
      }
    }
  }
  return { width, height, data: target, map: null };
}

/** A lens: taken from 1 + strength r r times as far from the centre, r in half longer sides. */
export function bend(picture: Pixels, strength: number): Pixels {
  const [cx, cy, unit] = [picture.width / 2, picture.height / 2, 2 / Math.max(picture.width, picture.height)];
  return moved(picture, (x, y) => {
    const times = 1 + strength * (((x - cx) * unit) ** 2 + ((y - cy) * unit) ** 2);
    return [cx + (x - cx) * times, cy + (y - cy) * times];
  });
}

/** Waves across and down, three to the longer side, of this share of it. */
export function wave(picture: Pixels, share: number): Pixels {
  const side = Math.max(picture.width, picture.height);
  const at = (place: number): number => share * side * Math.sin((6 * Math.PI * place) / side);
  return moved(picture, (x, y) => [x + at(y), y + at(x)]);
}

/** Turned about the centre by this many radians, less and less towards the edge. */
export function swirl(picture: Pixels, angle: number): Pixels {
  const [cx, cy, radius] = [
    picture.width / 2,
    picture.height / 2,
    Math.min(picture.width, picture.height) / 2,
  ];
  return moved(picture, (x, y) => {
    const [dx, dy] = [x - cx, y - cy];
    const turn = angle * Math.max(0, 1 - Math.hypot(dx, dy) / radius);
    return [cx + dx * Math.cos(turn) - dy * Math.sin(turn), cy + dx * Math.sin(turn) + dy * Math.cos(turn)];
  });
}

/** Each pixel the mean of `length` in its row. */
export function smear({ width, height, data }: Pixels, length: number): Pixels {
  const target = Buffer.alloc(data.length);
  const half = length >> 1;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      for (let channel = 0; channel < 3; channel += 1) {
        let sum = 0;
        for (let step = -half; step <= half; step += 1) {
          sum += data[3 * (y * width + Math.min(width - 1, Math.max(0, x + step))) + channel]!;
        }
        target[3 * (y * width + x) + channel] = Math.round(sum / (2 * half + 1));
      }
    }
  }
  return { width, height, data: target };
}

/** This share of the pixels black or white. */
export function impulses({ width, height, data }: Pixels, share: number, random: Random): Pixels {
  const target = Buffer.from(data);
  for (let at = 0; at < target.length; at += 3) {
    if (random() < share) target.fill(random() < 0.5 ? 0 : 255, at, at + 3);
  }
  return { width, height, data: target };
}

/** Squares of one colour each, this share of the shorter side wide, somewhere. */
export function stickers(
  { width, height, data }: Pixels,
  count: number,
  share: number,
  random: Random,
): Pixels {
  const target = Buffer.from(data);
  const side = Math.round(share * Math.min(width, height));
  for (let sticker = 0; sticker < count; sticker += 1) {
    const colour = [random(), random(), random()].map((value) => Math.floor(256 * value));
    const left = Math.floor(random() * (width - side));
    const top = Math.floor(random() * (height - side));
    for (let y = top; y < top + side; y += 1) {
      for (let x = left; x < left + side; x += 1) target.set(colour, 3 * (y * width + x));
    }
  }
  return { width, height, data: target };
}

/** Darkened towards the corners, to four tenths there. */
export function vignette({ width, height, data }: Pixels): Pixels {
  const unit = 4 / (width * width + height * height);
  const target = Buffer.from(data);
  for (let at = 0; at < target.length; at += 1) {
    const pixel = Math.floor(at / 3);
    const [dx, dy] = [(pixel % width) - width / 2, Math.floor(pixel / width) - height / 2];
    target[at] = Math.round(target[at]! * (1 - 0.6 * (dx * dx + dy * dy) * unit));
  }
  return { width, height, data: target };
}

/** Each value of each channel through a tone curve, 0 to 255. */
export function toned({ width, height, data }: Pixels, curve: (value: number) => number): Pixels {
  const table = Buffer.from(Array.from({ length: 256 }, (_, value) => Math.round(curve(value))));
  return { width, height, data: Buffer.from(data.map((value) => table[value]!)) };
}

/** Normally distributed noise of this standard deviation, each channel its own. */
export function grain({ width, height, data }: Pixels, sigma: number, random: Random): Pixels {
  const target = Buffer.alloc(data.length);
  for (let at = 0; at < data.length; at += 1) {
    // Box and Muller's transform.
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    target[at] = Math.min(255, Math.max(0, Math.round(data[at]! + sigma * normal)));
  }
  return { width, height, data: target };
}

/**
 * The homography that takes the unit square's corners, clockwise from the upper left, to four places (Heckbert 1989).
 */
function fromSquare([a, b, c, d]: readonly [Point, Point, Point, Point]): PlaneMap {
  const [sumX, sumY] = [a[0] - b[0] + c[0] - d[0], a[1] - b[1] + c[1] - d[1]];
  const [x1, x2, y1, y2] = [b[0] - c[0], d[0] - c[0], b[1] - c[1], d[1] - c[1]];
  const scale = x1 * y2 - x2 * y1;
  const g = (sumX * y2 - x2 * sumY) / scale;
  const h = (x1 * sumY - sumX * y1) / scale;
  const across = [b[0] - a[0] + g * b[0], d[0] - a[0] + h * d[0], a[0]] as const;
  const down = [b[1] - a[1] + g * b[1], d[1] - a[1] + h * d[1], a[1]] as const;
  return [...across, ...down, g, h, 1];
}

/** Seen from the side: what shows is a quadrangle of the picture, each corner drawn in by up to this share. */
export function perspective(picture: Pixels, share: number, random: Random): Pixels {
  const { width, height } = picture;
  const drawnIn = (x: number, y: number): Point => [
    (x + (x === 0 ? 1 : -1) * share * random()) * (width - 1),
    (y + (y === 0 ? 1 : -1) * share * random()) * (height - 1),
  ];
  const place = fromSquare([drawnIn(0, 0), drawnIn(1, 0), drawnIn(1, 1), drawnIn(0, 1)]);
  const made = moved(picture, (x, y) => [...placed(place, [x / (width - 1), y / (height - 1)])]);
  // From the middles of pixels, which the places are of, to their edges.
  const inSquare = after(
    shift(-0.5, -0.5),
    stretch({ width: width - 1, height: height - 1 }, { width: 1, height: 1 }),
  );
  return { ...made, map: inverse(after(after(inSquare, place), shift(0.5, 0.5))) };
}
