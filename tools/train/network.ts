import { seededRandom } from "@colophon/testing/pictures.ts";

/** One example: its inputs, and whether it is of the first kind. */
export interface NetworkExample {
  readonly inputs: Int8Array;
  readonly isPositive: boolean;
}

/**
 * A network of one hidden layer of rectified units, without thresholds of their own: an input that is always 1 gives
 * them.
 */
export interface Network {
  /** The weight of input i for unit u, at `[units * i + u]`. */
  readonly hidden: Float64Array;
  /** The weight of each unit, then what is added to all. */
  readonly output: Float64Array;
}

export interface Learning {
  readonly units: number;
  readonly steps: number;
  /** How far the first step goes; the last one goes nowhere. */
  readonly rate: number;
  readonly seed: number;
}

/** How far from 0 the first weights are, at most. */
const FIRST_HIDDEN = 0.05;
const FIRST_OUTPUT = 0.15;

/** The logarithm of the odds that inputs are of the first kind; the units' answers are written into `answers`. */
function answer(
  { hidden, output }: Network,
  units: number,
  inputs: Int8Array,
  answers: Float64Array,
): number {
  answers.fill(0);
  for (let i = 0; i < inputs.length; i += 1) {
    for (let unit = 0; unit < units; unit += 1) answers[unit]! += hidden[units * i + unit]! * inputs[i]!;
  }
  let odds = output[units]!;
  for (let unit = 0; unit < units; unit += 1) {
    answers[unit] = Math.max(0, answers[unit]!);
    odds += output[unit]! * answers[unit]!;
  }
  return odds;
}

/**
 * Learns the odds of two kinds that count alike, however many examples there are of each, by stochastic gradient
 * descent on the logistic loss. The same examples in the same order give the same network.
 */
export function learnNetwork(
  examples: readonly NetworkExample[],
  { units, steps, rate, seed }: Learning,
): Network {
  const random = seededRandom(seed);
  const inputCount = examples[0]!.inputs.length;
  const around0 = (most: number): number => most * (2 * random() - 1);
  const network = {
    hidden: Float64Array.from({ length: inputCount * units }, () => around0(FIRST_HIDDEN)),
    output: Float64Array.from({ length: units + 1 }, () => around0(FIRST_OUTPUT)),
  };
  const { hidden, output } = network;
  const positive = examples.filter(({ isPositive }) => isPositive).length;
  const weightOfOthers = positive / (examples.length - positive);
  const answers = new Float64Array(units);
  for (let step = 0; step < steps; step += 1) {
    const { inputs, isPositive } = examples[Math.floor(random() * examples.length)]!;
    const odds = answer(network, units, inputs, answers);
    const error = 1 / (1 + Math.exp(-odds)) - Number(isPositive);
    const move = rate * (1 - step / steps) * error * (isPositive ? 1 : weightOfOthers);
    for (let unit = 0; unit < units; unit += 1) {
      if (answers[unit] === 0) continue;
      const back = move * output[unit]!;
      output[unit]! -= move * answers[unit]!;
      for (let i = 0; i < inputCount; i += 1) hidden[units * i + unit]! -= back * inputs[i]!;
    }
    output[units]! -= move;
  }
  return network;
}

/** The logarithm of the odds that an example is of the first kind. */
export function oddsBy(network: Network, { inputs }: NetworkExample): number {
  const units = network.output.length - 1;
  return answer(network, units, inputs, new Float64Array(units));
}
