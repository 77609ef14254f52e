// node scripts/fit-corrections.js [--check]
// Finds the weights by which corrections are noticed, from `test/learning/correction-samples`, and writes them to
// `src/learning/corrections/weights.ts`. The same samples give the same weights. With `--check` it writes nothing, but finds
// them without each author in turn and tells what that author's prompts meet.
import { fileURLToPath } from 'node:url';
import { fitWeights } from './fit-corrections/fit-weights.js';
import { measure } from './fit-corrections/measure.js';
import { importSources } from './import-sources.js';
import { writeWhole } from './write-whole.js';

const root = new URL('../', import.meta.url);
const { readTraits, shareOf, traitKey, readCorrectionSamples } = await importSources([
  'src/learning/corrections/read-traits.ts',
  'src/learning/corrections/trait-key.ts',
  'test/learning/correction-samples/read-correction-samples.ts',
]);
const samples = readCorrectionSamples(new URL('test/learning/correction-samples/', root)).map((sample) => ({
  ...sample,
  traits: valuesOf(sample),
}));

if (process.argv.includes('--check')) check();
else write(fitWeights(samples));

/** What the weights are multiplied with, by the key of the trait. */
function valuesOf({ prompt, before }) {
  const values = new Map();
  for (const [kind, traits] of readTraits(prompt, before) ?? []) {
    const share = shareOf(kind, traits.size);
    for (const trait of traits) {
      const key = traitKey(kind, trait);
      values.set(key, { kind, value: (values.get(key)?.value ?? 0) + share });
    }
  }
  return values;
}

function check() {
  const left = [];
  for (const author of new Set(samples.map((sample) => sample.author))) {
    const weights = fitWeights(samples.filter((sample) => sample.author !== author));
    const theirs = samples
      .filter((sample) => sample.author === author)
      .map((sample) => ({ ...sample, odds: oddsOf(sample.traits, weights) }));
    console.log(measure(author, theirs));
    left.push(...theirs);
  }
  console.log(measure('all', left));
  for (const name of ['language', 'style'])
    for (const value of [...new Set(left.map((sample) => sample[name]))].sort())
      console.log(
        measure(
          value,
          left.filter((sample) => sample[name] === value),
        ),
      );
}

function oddsOf(traits, { beforeAll, step, steps }) {
  let odds = beforeAll;
  for (const [key, { value }] of traits) odds += (steps.get(key) ?? 0) * step * value;
  return odds;
}

function write({ beforeAll, step, steps }) {
  const entries = [...steps].map(([key, count]) => ((key << 8) | (count + 128)) >>> 0).sort((a, b) => a - b);
  const bytes = Buffer.alloc(entries.length * 4);
  for (const [index, entry] of entries.entries()) bytes.writeUInt32LE(entry, index * 4);
  const lines = bytes.toString('base64').match(/.{1,108}/g) ?? [];
  const file = fileURLToPath(new URL('src/learning/corrections/weights.ts', root));
  writeWhole(
    file,
    `// Made by \`node scripts/fit-corrections.js\`. ${entries.length} traits; \`weigh-traits.ts\` reads it.\n` +
      `export const BEFORE_ALL = ${beforeAll};\nexport const STEP = ${step};\n` +
      `export const WEIGHTS = \`\n${lines.join('\n')}\n\`;\n`,
  );
}
