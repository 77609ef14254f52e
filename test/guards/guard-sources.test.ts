import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { guardFilesStamp } from '../../src/config/guard-files/guard-files-stamp.ts';
import { formatFault } from '../../src/config/yaml/yaml-file.ts';
import { readGuardSources } from '../../src/guards/guard-sources.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root = '';
beforeEach(() => {
  root = temporaryFolder();
});

function write(path: string, text: string): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const GUARD = 'summary: Holds.\nkinds: [edit]\nreason: Because.\nguidance: Do otherwise.\n';

async function faults(): Promise<string[]> {
  return (await readGuardSources(root)).faults.map((fault) =>
    formatFault({ ...fault, file: fault.file.slice(root.length + 1) }),
  );
}

describe('a project’s guards', () => {
  it('are none without files', async () => {
    expect(await readGuardSources(root)).toMatchObject({ settings: {}, globs: [], files: [], faults: [] });
  });

  it('come with settings and protected globs, as storable data', async () => {
    write('.guardkit/config.yaml', 'protected: [infra/]\nguards: {own: warn}\n');
    write('.guardkit/guards/own.yaml', `id: own\n${GUARD}`);
    const sources = await readGuardSources(root);
    expect(sources).toMatchObject({
      settings: { own: 'warn' },
      globs: ['infra/'],
      files: [
        { file: '.guardkit/guards/own.yaml', stale: false, definition: { id: 'own', mode: 'enforce' } },
      ],
      faults: [],
    });
    expect(JSON.parse(JSON.stringify(sources))).toEqual(sources);
  });

  it.each([
    [
      'an unknown key',
      `id: own\n${GUARD}decison: ask\n`,
      /^\.guardkit\/guards\/own\.yaml:6:1: .*"decison".*\bdecision\b/,
    ],
    ['an unknown mode', `id: own\nmode: enforced\n${GUARD}`, /^\.guardkit\/guards\/own\.yaml:2:7: mode: /],
    ['a missing reason', 'id: own\nsummary: s\nkinds: [edit]\nguidance: g\n', /:\d+:\d+: .*\breason\b/],
    ['no condition', 'id: own\nsummary: s\nreason: r\nguidance: g\n', /:\d+:\d+: /],
    ['an id with spaces', `id: my own\n${GUARD}`, /:1:5: id: /],
    ['the id of a built-in guard', `id: secrets\n${GUARD}`, /:1:5: .*\bsecrets\b/],
    ['an invalid date', `id: own\nexpires: soon\n${GUARD}`, /:2:10: expires: /],
    ['no YAML', 'id: [', /^\.guardkit\/guards\/own\.yaml:1:/],
    ['a prototype', `id: own\n${GUARD}__proto__: {}\n`, /"__proto__"/],
  ])('with %s are reported with line and column', async (_what, text, reported) => {
    write('.guardkit/guards/own.yaml', text);
    expect((await faults()).join('\n')).toMatch(reported);
  });

  it('with the same id are reported', async () => {
    write('.guardkit/guards/a.yaml', `id: own\n${GUARD}`);
    write('.guardkit/guards/b.yml', `id: own\n${GUARD}`);
    expect(await faults()).toEqual([
      expect.stringMatching(/^\.guardkit\/guards\/b\.yml:1:5: .*\bown\b.*\.guardkit\/guards\/a\.yaml/),
    ]);
  });

  it('in the configuration that do not exist are reported, with the nearest id', async () => {
    write('.guardkit/config.yaml', 'guards:\n  secrets: off\n  protected-sett: warn\n');
    expect(await faults()).toEqual([
      expect.stringMatching(/^\.guardkit\/config\.yaml:3:3: .*"protected-sett".*\bprotected-set\b/),
    ]);
  });

  it('with an unknown mode are reported', async () => {
    write('.guardkit/config.yaml', 'guards:\n  secrets: wran\n');
    expect((await faults())[0]).toContain('.guardkit/config.yaml:2:12: guards.secrets: ');
  });
});

describe('a file that becomes invalid', () => {
  it('stays in effect as last read, and is reported', async () => {
    write('.guardkit/guards/own.yaml', `id: own\n${GUARD}`);
    const last = await readGuardSources(root);
    write('.guardkit/guards/own.yaml', 'id: [');
    const sources = await readGuardSources(root, last);
    expect(sources.files).toMatchObject([{ stale: true, definition: { id: 'own' } }]);
    expect(sources.faults).toHaveLength(1);
  });

  it('has no effect after a person removed it', async () => {
    write('.guardkit/guards/own.yaml', `id: own\n${GUARD}`);
    const last = await readGuardSources(root);
    rmSync(join(root, '.guardkit/guards/own.yaml'));
    expect((await readGuardSources(root, last)).files).toEqual([]);
  });

  it('keeps the last guard settings, if it is the configuration', async () => {
    write('.guardkit/config.yaml', 'guards: {secrets: off}\nprotected: [infra/]\n');
    const last = await readGuardSources(root);
    write('.guardkit/config.yaml', 'guards: [');
    expect(await readGuardSources(root, last)).toMatchObject({
      settings: { secrets: 'off' },
      globs: ['infra/'],
    });
    expect(await readGuardSources(root)).toMatchObject({ settings: {}, globs: [] });
  });
});

it('the stamp changes with every file that matters', () => {
  write('.guardkit/config.yaml', '');
  const stamps = [guardFilesStamp(root)];
  write('.guardkit/guards/a.yaml', 'id: a\n');
  stamps.push(guardFilesStamp(root));
  write('.guardkit/guards/a.yaml', 'id: ab\n');
  stamps.push(guardFilesStamp(root));
  write('.guardkit/config.yaml', 'project: x\n');
  stamps.push(guardFilesStamp(root));
  expect(new Set(stamps).size).toBe(4);
  expect(guardFilesStamp(root)).toBe(stamps[3]);
});
