import { CRASH, type PlayedFeature, turnOf } from './run-project.ts';

/** A number that is made of others, and a check that runs it: it needs their code to be there. */
function number(id: string, name: string, of: readonly string[], needs: readonly string[]): PlayedFeature {
  const imports = [...new Set(of)].map((other) => `import { ${other} } from './${other}.js';\n`).join('');
  const sum = of.length === 0 ? '1' : of.map((other) => `${other}()`).join(' + ');
  const good = turnOf(
    { [`src/${name}.js`]: `${imports}export const ${name} = () => ${sum};\n` },
    `${name} counts`,
  );
  return {
    id,
    needs,
    type: 'documentation',
    verify: { checks: [{ name: `${name} counts`, command: counts(name) }] },
    turns: [good],
  };
}

function counts(name: string): string {
  const value = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'].indexOf(name) + 1;
  const expected = name === 'eleven' ? 11 : name === 'twelve' ? 12 : value;
  return `node --input-type=module -e "import { ${name} } from './src/${name}.js'; process.exit(${name}() === ${expected} ? 0 : 1)"`;
}

function bad(name: string) {
  return turnOf({ [`src/${name}.js`]: `export const ${name} = () => 0;\n` }, `${name} counts`);
}

/** It comes out well in the second attempt. */
function after(first: unknown, feature: PlayedFeature): PlayedFeature {
  return { ...feature, turns: [first, ...feature.turns] };
}

function limited(feature: PlayedFeature): PlayedFeature {
  const [turn] = feature.turns as { player: object }[];
  return {
    ...feature,
    turns: [{ ...turn, player: { ...turn?.player, fail: 'rate_limit', resets_in_seconds: 0.3 } }],
  };
}

const POLITE = `node --input-type=module -e "import { greet } from './src/greet.js'; process.exit(greet() === 'Good day' ? 0 : 1)"`;

const GREETING: PlayedFeature = {
  id: 'F10',
  type: 'documentation',
  verify: { checks: [{ name: 'the greeting is polite', command: POLITE }] },
  turns: [turnOf({ 'src/greet.js': 'export const greet = () => "Good day";\n' }, 'the greeting is polite')],
};

/** Breaks what another feature has shown, which only that one's own check would tell. */
function rude(feature: PlayedFeature): PlayedFeature {
  const [turn] = feature.turns as { player: { write: object; report: object } }[];
  const write = { ...turn?.player.write, 'src/greet.js': 'export const greet = () => "What";\n' };
  const report = { ...turn?.player.report, files_modified: Object.keys(write) };
  return { ...feature, priority: 9, turns: [{ ...turn, player: { write, report } }] };
}

/**
 * Twelve features that need each other's code. Some fail once, some always, one crashes its agent, one meets a rate limit,
 * and the last one breaks another.
 */
export const TWELVE_FEATURES: readonly PlayedFeature[] = [
  number('F01', 'one', [], []),
  number('F02', 'two', ['one', 'one'], ['F01']),
  after(bad('three'), number('F03', 'three', ['one', 'two'], ['F02'])),
  after(bad('four'), number('F04', 'four', ['one', 'three'], ['F03'])),
  after(CRASH, number('F05', 'five', ['two', 'three'], ['F03'])),
  { ...number('F06', 'six', ['one', 'five'], ['F02']), turns: [bad('six')] },
  number('F07', 'seven', ['one', 'six'], ['F06']),
  { ...number('F08', 'eight', ['four', 'four'], []), turns: [bad('eight'), CRASH] },
  limited(number('F09', 'nine', ['four', 'five'], ['F04', 'F05'])),
  GREETING,
  number('F11', 'eleven', ['nine', 'two'], ['F10', 'F09']),
  rude(number('F12', 'twelve', ['eleven', 'one'], ['F11'])),
];

/** The smallest run with all outcomes: done, done in the second attempt, blocked, left, and reopened. */
export const FIVE_FEATURES: readonly PlayedFeature[] = [
  after(bad('one'), number('F01', 'one', [], [])),
  { ...number('F06', 'six', ['one'], ['F01']), turns: [bad('six')] },
  number('F07', 'seven', ['one', 'six'], ['F06']),
  GREETING,
  rude(number('F02', 'two', ['one', 'one'], ['F01', 'F10'])),
];

/** Every feature has a check of its own; there is nothing else to run. */
export const TWELVE_CONFIG: Readonly<Record<string, string>> = {
  '.guardkit/config.yaml': 'project: calc-1234\n',
};

export interface ExpectedEnd {
  done: readonly string[];
  blocked: readonly string[];
  reopened: readonly string[];
  left: readonly string[];
}

export const FIVE_EXPECTED: ExpectedEnd = {
  done: ['F01', 'F02'],
  blocked: ['F06'],
  reopened: ['F10'],
  left: ['F07'],
};

export const TWELVE_EXPECTED: ExpectedEnd = {
  done: ['F01', 'F02', 'F03', 'F04', 'F05', 'F09', 'F11', 'F12'],
  blocked: ['F06', 'F08'],
  reopened: ['F10'],
  left: ['F07'],
};
