import { regress } from './regress.js';

/** Traits that fewer samples have are left out. */
const MIN_SAMPLES = 2;
/** So many are kept, of those that tell most. */
const KEPT = 24_000;
const PENALTY = 0.4;
/** How much the kinds count before anything is known of them: letters are many, and circumstances do not share. */
const BEFOREHAND = { letters: 0.5, circumstances: 0.5 };
const USUAL = 0.7;

/**
 * Weights by logistic regression, in whole steps of a byte. Fitted twice: once with all traits, to see which of them tell most,
 * and again with those.
 */
export function fitWeights(samples) {
  const known = countTraits(samples);
  const first = fit(samples, known);
  const kept = [...known]
    .map(([key, trait], index) => ({
      key,
      trait,
      tells: Math.abs(first.weights[index]) * Math.sqrt(trait.count),
    }))
    .sort((a, b) => b.tells - a.tells || a.key - b.key)
    .slice(0, KEPT);
  const { weights, beforeAll } = fit(samples, new Map(kept.map(({ key, trait }) => [key, trait])));
  const step = Math.max(...weights.map(Math.abs)) / 127;
  const steps = new Map(kept.map(({ key }, index) => [key, Math.round(weights[index] / step)]));
  for (const [key, count] of steps) if (count === 0) steps.delete(key);
  return { beforeAll: Number(beforeAll.toFixed(4)), step: Number(step.toPrecision(6)), steps };
}

function countTraits(samples) {
  const counted = new Map();
  for (const { traits, correction } of samples) {
    for (const [key, { kind }] of traits) {
      const trait = counted.get(key) ?? { kind, count: 0, inCorrections: 0 };
      trait.count += 1;
      if (correction) trait.inCorrections += 1;
      counted.set(key, trait);
    }
  }
  return new Map([...counted].filter(([, { count }]) => count >= MIN_SAMPLES));
}

function fit(samples, known) {
  const indices = new Map([...known.keys()].map((key, index) => [key, index]));
  const scales = Float64Array.from([...known.values()].map((trait) => scaleOf(trait, samples.length)));
  const rows = samples.map(({ traits, correction }) => {
    const found = [...traits].filter(([key]) => indices.has(key));
    const columns = Int32Array.from(found.map(([key]) => indices.get(key)));
    return {
      columns,
      values: Float64Array.from(found.map(([, { value }], at) => value * scales[columns[at]])),
      label: correction ? 1 : 0,
    };
  });
  const { weights, beforeAll } = regress(rows, known.size, PENALTY);
  return { weights: [...weights].map((weight, index) => weight * scales[index]), beforeAll };
}

/** A trait that is on one side only, or rare, may weigh more at the same price. */
function scaleOf({ kind, count, inCorrections }, total) {
  const lopsided = Math.abs(Math.log((inCorrections + 1) / (count - inCorrections + 1)));
  const rare = Math.max(0.3, Math.log(total / (count + 2))) / 4;
  return (BEFOREHAND[kind] ?? USUAL) * (0.3 + 0.7 * Math.min(2, lopsided)) * Math.sqrt(rare);
}
