const ROUNDS = 60;
const REMEMBERED = 6;
const ENOUGH = 1e-5;

/** Logistic regression with a penalty on the squares of the weights, by L-BFGS: no chance is in it. */
export function regress(rows, width, penalty) {
  const lossAt = lossOf(rows, width, penalty);
  // The last is what counts before all traits.
  let weights = new Float64Array(width + 1);
  let { loss, slope } = lossAt(weights);
  const past = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const direction = directionOf(slope, past);
    const next = stepAlong(lossAt, { weights, loss, slope }, direction);
    if (!next) break;
    const moved = next.weights.map((weight, index) => weight - weights[index]);
    const bent = next.slope.map((value, index) => value - slope[index]);
    const curve = product(moved, bent);
    if (curve > 1e-12) past.push({ moved, bent, curve });
    if (past.length > REMEMBERED) past.shift();
    const gained = loss - next.loss;
    ({ weights, loss, slope } = next);
    if (gained < ENOUGH * loss) break;
  }
  return { weights: weights.subarray(0, width), beforeAll: weights[width] };
}

function lossOf(rows, width, penalty) {
  return (weights) => {
    let loss = 0;
    const slope = new Float64Array(width + 1);
    for (const { columns, values, label } of rows) {
      let odds = weights[width];
      for (let at = 0; at < columns.length; at += 1) odds += weights[columns[at]] * values[at];
      const chance = 1 / (1 + Math.exp(-odds));
      loss -= Math.log(Math.max(1e-12, label ? chance : 1 - chance));
      const off = chance - label;
      slope[width] += off;
      for (let at = 0; at < columns.length; at += 1) slope[columns[at]] += off * values[at];
    }
    for (let index = 0; index < width; index += 1) {
      loss += (penalty / 2) * weights[index] ** 2;
      slope[index] += penalty * weights[index];
    }
    return { loss, slope };
  };
}

/** Where it falls most, bent by what the last rounds told of how the ground curves. */
function directionOf(slope, past) {
  const direction = Float64Array.from(slope);
  const shares = [];
  for (const [index, { moved, bent, curve }] of [...past.entries()].reverse()) {
    shares[index] = product(moved, direction) / curve;
    addTo(direction, bent, -shares[index]);
  }
  const last = past.at(-1);
  const scale = last
    ? last.curve / product(last.bent, last.bent)
    : 1 / Math.max(1, Math.sqrt(product(slope, slope)));
  for (let index = 0; index < direction.length; index += 1) direction[index] *= scale;
  for (const [index, { moved, bent, curve }] of past.entries())
    addTo(direction, moved, shares[index] - product(bent, direction) / curve);
  return direction;
}

function stepAlong(lossAt, { weights, loss, slope }, direction) {
  const falls = product(slope, direction);
  for (let step = 1; step > 1e-4; step /= 2) {
    const next = weights.map((weight, index) => weight - step * direction[index]);
    const there = lossAt(next);
    if (there.loss <= loss - 1e-4 * step * falls) return { weights: next, ...there };
  }
  return undefined;
}

function product(one, other) {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += one[index] * other[index];
  return sum;
}

function addTo(target, other, share) {
  for (let index = 0; index < target.length; index += 1) target[index] += share * other[index];
}
