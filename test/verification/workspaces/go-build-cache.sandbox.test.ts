import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { GoBuildCache, hasHeaders } from '../../../src/verification/workspaces/go-build-cache.ts';
import { bubblewrap } from '../../support/bubblewrap.ts';
import { further } from '../../support/thorough.ts';
import { RUN_TESTS } from '../../support/verified-project.ts';
import { CheatBase, config, HONEST, QUICK_PROJECT } from '../cheats/cheat-project.ts';
import { printedInRuns } from '../cheats/planted-environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'guardkit-builds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('Go’s build cache of a workspace', () => {
  it('is available to the next verification, with its test results expired', () => {
    const first = new GoBuildCache(join(folder, 'kept'));
    first.open();
    first.breakSeal();
    writeFileSync(join(first.folder, 'object'), 'compiled');
    first.seal();
    new GoBuildCache(join(folder, 'kept')).open();
    expect(readFileSync(join(first.folder, 'object'), 'utf8')).toBe('compiled');
    expect(readFileSync(join(first.folder, 'testexpire.txt'), 'utf8')).toMatch(/^\d{19}\n$/);
  });

  it('is empty after another writer, or after a run that never finished', () => {
    const place = join(folder, 'altered');
    const fill = () => {
      const builds = new GoBuildCache(place);
      builds.open();
      writeFileSync(join(builds.folder, 'object'), 'compiled');
      builds.seal();
      return builds;
    };
    const { folder: cache } = fill();
    writeFileSync(join(cache, 'object'), 'replaced');
    new GoBuildCache(place).open();
    expect(existsSync(join(cache, 'object'))).toBe(false);
    fill().breakSeal();
    new GoBuildCache(place).open();
    expect(existsSync(join(cache, 'object'))).toBe(false);
  });

  it('is not kept for code with headers, whose changes Go does not notice', () => {
    expect(
      [
        ['lib/x.go', 'include/x.h'],
        ['x.go', 'x_amd64.s'],
      ].map(hasHeaders),
    ).toEqual([true, false]);
  });
});

const NOTE = `cache=$(sed -n 's/^GOCACHE=//p' "$HOME/.config/go/env")
test -d "$cache" || echo "NO CACHE"
for name in base other; do if [ -e "$cache/$name" ]; then echo "FOUND $name $(cat "$cache/$name")"; fi; done
if [ -e src/multiply.js ] || [ -e test/multiply.test.js ]; then
  echo planted > "$cache/other" && echo planted > "$cache/base"
else
  echo compiled > "$cache/base"
fi
`;

describe('content of Go’s build cache', () => {
  const base = new CheatBase({
    ...QUICK_PROJECT,
    'note.sh': NOTE,
    '.guardkit/config.yaml': config(`tests:\n  command: sh note.sh && ${RUN_TESTS}\n`),
  });
  afterAll(() => base.cleanup());
  const found = () => printedInRuns(base.sandbox).match(/FOUND .*|NO CACHE/g) ?? [];

  further('is used by later runs if the base wrote it, and never if the candidate did', async (context) => {
    await bubblewrap(context);
    const project = base.project().write(HONEST);
    expect((await project.verify()).outcome).toBe('pass');
    const first = found();
    expect(first.length).toBeGreaterThan(0);
    expect(new Set(first)).toEqual(new Set(['FOUND base compiled']));
    expect((await project.verify()).outcome).toBe('pass');
    const second = found();
    expect(second.length).toBeGreaterThan(first.length);
    expect(new Set(second)).toEqual(new Set(first));
    const data = base.sandbox.home;
    const inside = readdirSync(data, { recursive: true, encoding: 'utf8' });
    const cache = join(data, inside.find((path) => path.endsWith('.builds')) ?? '');
    writeFileSync(join(cache, 'base'), 'replaced');
    expect((await project.verify()).outcome).toBe('pass');
    expect(found()).toEqual(second);
  });
});
