import { describe, expect, it } from 'vitest';
import { type Files, shortChanges } from '../tree-fixture.ts';

const manifest = JSON.stringify({ name: 'x', scripts: { test: 'vitest run' } });

interface Entry {
  name: string;
  version?: string;
  /** Instead of the registry's package of this name. */
  source?: string;
  digest?: string;
  needs?: string[];
}

const YARN_1 = (entries: readonly Entry[]) =>
  entries
    .map(({ name, version = '3.0.0', source, digest = 'd1', needs = [] }) => {
      const resolved = source?.startsWith('npm:')
        ? `https://registry.yarnpkg.com/${source.slice(4)}/-/${source.slice(4)}-${version}.tgz#0`
        : `https://registry.yarnpkg.com/${name}/-/${name}-${version}.tgz#0`;
      const own = source === undefined || source.startsWith('npm:') ? `  resolved "${resolved}"\n` : '';
      const range = source?.startsWith('npm:') ? `${source}@^3` : (source ?? '^3.0.0');
      const list =
        needs.length > 0 ? `  dependencies:\n${needs.map((one) => `    ${one} "^3"\n`).join('')}` : '';
      return `"${name}@${range}", ${name}@^3.0.1:\n  version "${version}"\n${own}  integrity ${digest}\n${list}`;
    })
    .join('\n');

const YARN_4 = (entries: readonly Entry[]) =>
  `__metadata:\n  version: 8\n  cacheKey: 10c0\n\n${entries
    .map(({ name, version = '3.0.0', source, digest = 'd1', needs = [] }) => {
      const resolution = source?.startsWith('npm:')
        ? `${source.slice(4)}@npm:${version}`
        : `${name}@${source ?? `npm:${version}`}`;
      const list =
        needs.length > 0 ? `  dependencies:\n${needs.map((one) => `    ${one}: "npm:^3"\n`).join('')}` : '';
      return `"${name}@npm:^3.0.0, ${name}@npm:^3.0.1":\n  version: ${version}\n  resolution: "${resolution}"\n${list}  checksum: 10c0/${digest}\n`;
    })
    .join('\n')}`;

const PNPM = (entries: readonly Entry[]) =>
  `lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    devDependencies:\n${entries
    .map(({ name, version = '3.0.0', source }) => {
      const actual = source?.startsWith('npm:') ? `${source.slice(4)}@${version}` : (source ?? version);
      return `      ${name}:\n        specifier: ^3.0.0\n        version: ${actual}\n`;
    })
    .join('')}\npackages:\n\n${entries
    .filter(({ source }) => source === undefined)
    .map(
      ({ name, version = '3.0.0', digest = 'd1' }) =>
        `  ${name}@${version}:\n    resolution: {integrity: ${digest}}\n    engines: {node: '>=18'}\n\n`,
    )
    .join('')}snapshots:\n\n${entries
    .map(
      ({ name, version = '3.0.0', needs = [] }) =>
        `  ${name}@${version}(a@1.0.0):\n    dependencies:\n${needs.map((one) => `      ${one}: 3.0.0\n`).join('')}\n`,
    )
    .join('')}`;

const BUN = (entries: readonly Entry[]) =>
  `{\n  "lockfileVersion": 1,\n  "packages": {\n${entries
    .map(({ name, version = '3.0.0', source, digest = 'd1', needs = [] }) => {
      const id = source?.startsWith('npm:')
        ? `${source.slice(4)}@${version}`
        : `${name}@${source ?? version}`;
      const list = needs.map((one) => `"${one}": "^3"`).join(', ');
      return `    "${name}": ["${id}", "", { "dependencies": { ${list} } }, "sha512-${digest}"],\n`;
    })
    .join('\n')}  }\n}\n`;

const VITEST: Entry = { name: 'vitest', needs: ['tinyrainbow'] };
const RAINBOW: Entry = { name: 'tinyrainbow' };
const PAD: Entry = { name: 'left-pad' };

describe.each<[string, string, (entries: readonly Entry[]) => string]>([
  ['Yarn 1', 'yarn.lock', YARN_1],
  ['Yarn 4', 'yarn.lock', YARN_4],
  ['pnpm', 'pnpm-lock.yaml', PNPM],
  ['Bun', 'bun.lock', BUN],
])('the lock file of %s', (_, file, write) => {
  const base: Files = { 'package.json': manifest, [file]: write([VITEST, RAINBOW, PAD]) };
  const changed = (entries: readonly Entry[]) => shortChanges('npm test', base, { [file]: write(entries) });
  const sourceOf = (name: string) => [`changed ${file} locked package source of ${name}`];

  it('may bring other versions and packages', async () => {
    const entries = [
      { ...VITEST, version: '3.1.0', digest: 'd2', needs: ['tinyrainbow', 'loupe'] },
      { ...RAINBOW, version: '3.2.0', digest: 'd3' },
      { name: 'loupe' },
      { ...PAD, source: 'file:own' },
      { name: 'added', source: 'link:packages/added' },
    ];
    expect(await changed(entries)).toEqual([]);
  });

  it('must not bring another content for a version of the runner', async () => {
    expect(await changed([{ ...VITEST, digest: 'd2' }, RAINBOW, PAD])).toMatchObject([
      expect.stringMatching(/^changed .* locked package vitest 3\.0\.0 at /),
    ]);
  });

  it.each([
    ['a folder', 'file:own'],
    ['another package', 'npm:own'],
  ])('must not take what the runner needs from %s', async (_what, source) => {
    expect(await changed([VITEST, { ...RAINBOW, source }, PAD])).toEqual(sourceOf('tinyrainbow'));
    // Nor if the runner no longer lists it.
    const hidden = [{ ...VITEST, needs: [] }, { ...RAINBOW, source: 'file:own' }, PAD];
    expect(await changed(hidden)).toEqual(sourceOf('tinyrainbow'));
  });

  it('must not take the runner from a folder', async () => {
    expect(await changed([{ ...VITEST, source: 'file:own' }, RAINBOW, PAD])).toEqual(
      expect.arrayContaining(sourceOf('vitest')),
    );
  });

  it('in a folder counts too', async () => {
    const below = { 'package.json': manifest, [`web/${file}`]: write([VITEST]) };
    const taken = { [`web/${file}`]: write([{ ...VITEST, source: 'file:own' }]) };
    expect(await shortChanges('npm test', below, taken)).toEqual(
      expect.arrayContaining([`changed web/${file} locked package source of vitest`]),
    );
  });
});

describe('the lock file of npm', () => {
  const lock = (packages: object, more = '') => `${JSON.stringify({ packages })}${more}`;
  const chai = {
    version: '5.0.0',
    integrity: 'a',
    resolved: 'https://registry.npmjs.org/chai/-/chai-5.0.0.tgz',
  };
  const base = { 'package.json': manifest, 'package-lock.json': lock({ 'node_modules/chai': chai }) };
  const changed = (text: string) => shortChanges('npm test', base, { 'package-lock.json': text });

  it.each(['https://elsewhere.example/chai-5.0.1.tgz', 'https://registry.npmjs.org/own/-/own-5.0.1.tgz'])(
    'must not take an assertion library from %s',
    async (resolved) => {
      const text = lock({ 'node_modules/chai': { ...chai, version: '5.0.1', resolved } });
      expect(await changed(text)).toEqual([
        'changed package-lock.json locked package source of node_modules/chai',
      ]);
    },
  );

  it('is read to its end however long it is', async () => {
    const text = lock({ 'node_modules/chai': { ...chai, integrity: 'b' } }, ' '.repeat(3 * 1024 * 1024));
    expect(await changed(text)).toEqual([
      'changed package-lock.json locked package chai 5.0.0 at node_modules/chai',
    ]);
  });

  it('may list a package of the project in another folder', async () => {
    const at = (folder: string) =>
      lock({ 'node_modules/chai': chai, 'node_modules/own': { resolved: folder, link: true } });
    expect(
      await shortChanges(
        'npm test',
        { ...base, 'package-lock.json': at('packages/own') },
        { 'package-lock.json': at('libs/own') },
      ),
    ).toEqual([]);
  });
});

it('a lock file in a form that nobody reads is no error', async () => {
  const odd = { 'yarn.lock': '"\\u00":\n  a\n:\n? x\n', 'pnpm-lock.yaml': ': :\n  - a:\n', 'bun.lock': '["' };
  expect(await shortChanges('npm test', { 'package.json': manifest }, odd)).toEqual([]);
});
