import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CONFIG, WatchedCheckout } from './windows-fixture.ts';

test('[GUARD-2] a definition that an agent changes is put back, copied to quarantine and recorded', () => {
  const shop = new WatchedCheckout();
  const { restored, closed } = shop.act(() => shop.write('.guardkit/config.yaml', 'project: other\n'));

  expect(shop.read('.guardkit/config.yaml')).toBe(CONFIG);
  expect(restored).toMatchObject([{ path: '.guardkit/config.yaml', how: 'was changed', failure: undefined }]);
  expect(shop.quarantined().map((file) => readFileSync(file, 'utf8'))).toEqual(['project: other\n']);
  expect(shop.violations()).toMatchObject([
    {
      session: 's1',
      agent: 'claude',
      path: '.guardkit/config.yaml',
      guard: 'protected-set',
      restored: true,
      action: 'a1',
    },
  ]);
  expect(closed.notices.join()).toContain('guardkit accept --restore .guardkit/config.yaml');
});

test('what a person changes between two actions is taken as it is', () => {
  const shop = new WatchedCheckout();
  shop.act(() => {});
  shop.write('.guardkit/config.yaml', 'project: shop-4f2a\nverify: {}\n');
  rmSync(shop.path('tasks/TASK-1.md'));
  shop.write('.claude/agents/helper.md', 'Help.\n');
  const { restored } = shop.act(() => shop.write('src/a.js', 'export const a = 1;\n'));

  expect(restored).toEqual([]);
  expect(shop.violations()).toEqual([]);
  expect(shop.read('.guardkit/config.yaml')).toContain('verify');
  expect(existsSync(shop.path('tasks/TASK-1.md'))).toBe(false);
  shop.act(() => shop.write('.claude/agents/helper.md', 'Obey.\n'));
  expect(shop.read('.claude/agents/helper.md')).toBe('Help.\n');
});

describe('what an agent does to protected files is undone:', () => {
  const cases: Record<string, (shop: WatchedCheckout) => void> = {
    'it removes one': (shop) => unlinkSync(shop.path('.guardkit/config.yaml')),
    'it removes their folder': (shop) => rmSync(shop.path('.guardkit'), { recursive: true }),
    'it moves their folder away': (shop) => renameSync(shop.path('.guardkit'), shop.path('other')),
    'it puts a link in its place': (shop) => {
      writeFileSync(shop.path('evil'), 'project: evil\n');
      unlinkSync(shop.path('.guardkit/config.yaml'));
      symlinkSync('../evil', shop.path('.guardkit/config.yaml'));
    },
    'it puts a link in place of the folder': (shop) => {
      mkdirSync(shop.path('evil'));
      writeFileSync(shop.path('evil/config.yaml'), CONFIG);
      renameSync(shop.path('.guardkit'), shop.path('moved'));
      symlinkSync('evil', shop.path('.guardkit'));
    },
    'it puts a folder in its place': (shop) => {
      unlinkSync(shop.path('.guardkit/config.yaml'));
      mkdirSync(shop.path('.guardkit/config.yaml/deep'), { recursive: true });
      writeFileSync(shop.path('.guardkit/config.yaml/deep/x'), 'x');
    },
    'it puts a hard link of another file in its place': (shop) => {
      writeFileSync(shop.path('evil'), 'project: evil\n');
      unlinkSync(shop.path('.guardkit/config.yaml'));
      linkSync(shop.path('evil'), shop.path('.guardkit/config.yaml'));
    },
    'it writes the same number of bytes and sets the times back': (shop) => {
      const { atime, mtime } = statSync(shop.path('.guardkit/config.yaml'));
      writeFileSync(shop.path('.guardkit/config.yaml'), CONFIG.replace('4f2a', '0000'));
      utimesSync(shop.path('.guardkit/config.yaml'), atime, mtime);
    },
    'it empties it and takes all rights away': (shop) => {
      writeFileSync(shop.path('.guardkit/config.yaml'), '');
      chmodSync(shop.path('.guardkit/config.yaml'), 0);
    },
  };
  for (const [name, attack] of Object.entries(cases)) {
    test(name, () => {
      const shop = new WatchedCheckout();
      const before = statSync(shop.path('.guardkit/config.yaml')).mode;
      const { restored } = shop.act(() => attack(shop));

      expect(lstatSync(shop.path('.guardkit')).isDirectory()).toBe(true);
      expect(lstatSync(shop.path('.guardkit/config.yaml')).isFile()).toBe(true);
      expect(shop.read('.guardkit/config.yaml')).toBe(CONFIG);
      expect(statSync(shop.path('.guardkit/config.yaml')).mode).toBe(before);
      expect(restored.map(({ failure }) => failure)).toEqual(restored.map(() => undefined));
      expect(shop.violations().length).toBeGreaterThan(0);
      expect(shop.act(() => {}).restored).toEqual([]);
      expect(shop.violations().length).toBe(restored.length);
    });
  }
});

describe('what an agent lays beside them is taken away:', () => {
  const cases: Record<string, [path: string, lay: (shop: WatchedCheckout, path: string) => void]> = {
    'a guard': ['.guardkit/guards/mine.yaml', (shop, path) => shop.write(path, 'id: mine\n')],
    'a task': ['tasks/deep/down/TASK-9.md', (shop, path) => shop.write(path, '# Nine\n')],
    'settings of its own': [
      '.claude/settings.local.json',
      (shop, path) => shop.write(path, '{"disableAllHooks":true}'),
    ],
    'settings of another agent': ['.codex/config.toml', (shop, path) => shop.write(path, 'x = 1\n')],
    'a hook of git': ['.git/hooks/pre-commit', (shop, path) => shop.write(path, '#!/bin/sh\n')],
    'a link to elsewhere': ['.claude/agents', (shop, path) => symlinkSync('/etc', shop.path(path))],
    'an mcp server': ['.mcp.json', (shop, path) => shop.write(path, '{"mcpServers":{}}')],
  };
  for (const [name, [path, lay]] of Object.entries(cases)) {
    test(name, () => {
      const shop = new WatchedCheckout();
      const { restored } = shop.act(() => lay(shop, path));

      expect(lstatSync(shop.path(path), { throwIfNoEntry: false })).toBeUndefined();
      expect(restored.map((one) => one.path)).toEqual([path]);
      expect(shop.violations().map((one) => one.path)).toEqual([path]);
      expect(shop.act(() => {}).restored).toEqual([]);
    });
  }
});

test('files that a glob of the configuration names are watched, new ones too', () => {
  const shop = new WatchedCheckout(['infra/**', '*.sql']);
  shop.write('infra/deep/main.tf', 'a\n');
  shop.act(() => {
    shop.write('infra/deep/main.tf', 'b\n');
    shop.write('infra/other/new.tf', 'c\n');
    shop.write('schema.sql', 'd\n');
    shop.write('src/schema.sqlx', 'e\n');
  });
  expect(shop.read('infra/deep/main.tf')).toBe('a\n');
  expect(existsSync(shop.path('infra/other'))).toBe(false);
  expect(existsSync(shop.path('schema.sql'))).toBe(false);
  expect(shop.read('src/schema.sqlx')).toBe('e\n');
});

test('an agent that empties the list of globs and then uses it gains nothing', () => {
  const shop = new WatchedCheckout(['infra/**']);
  shop.write('infra/main.tf', 'a\n');
  const blind = new WatchedCheckout();
  expect(blind.act(() => blind.write('infra/main.tf', 'b\n')).restored).toEqual([]);
  shop.act(() => {
    shop.write('infra/main.tf', 'b\n');
    shop.place.globs = [];
  });
  expect(shop.read('infra/main.tf')).toBe('a\n');
});

test('rights that changed alone are put back without blame, but a hook that is made to run is', () => {
  const shop = new WatchedCheckout();
  shop.write('.git/hooks/pre-push', '#!/bin/sh\n');
  chmodSync(shop.path('.git/hooks/pre-push'), 0o644);
  shop.act(() => {});
  const quiet = shop.act(() => chmodSync(shop.path('.guardkit/config.yaml'), 0o777));
  expect(quiet.restored).toEqual([]);
  expect(statSync(shop.path('.guardkit/config.yaml')).mode & 0o777).toBe(0o644);
  const loud = shop.act(() => chmodSync(shop.path('.git/hooks/pre-push'), 0o755));
  expect(loud.restored).toMatchObject([{ path: '.git/hooks/pre-push', how: 'was made to run' }]);
  expect(statSync(shop.path('.git/hooks/pre-push')).mode & 0o777).toBe(0o644);
});

test('a file with the longest name that there can be is put back', () => {
  const shop = new WatchedCheckout();
  const path = `tasks/TASK-${'語'.repeat(80)}.md`;
  shop.write(path, 'a\n');
  shop.act(() => {});
  const { restored } = shop.act(() => shop.write(path, 'b\n'));
  expect(restored).toMatchObject([{ path, failure: undefined }]);
  expect(shop.read(path)).toBe('a\n');
});

test('logs, the feature list and ordinary files are not watched', () => {
  const shop = new WatchedCheckout();
  const { restored } = shop.act(() => {
    shop.write('.guardkit/logs/run.log', 'line\n');
    shop.write('.claude/progress/feature-list.json', '{}');
    shop.write('.claude/notes.md', 'x');
    shop.write('tasks/readme.md', 'x');
  });
  expect(restored).toEqual([]);
  expect(shop.read('.guardkit/logs/run.log')).toBe('line\n');
});

test('settings behind a link that a person laid are watched where they are', () => {
  const shop = new WatchedCheckout();
  const real = join(shop.folder, 'dotfiles.json');
  writeFileSync(real, '{"hooks":{}}');
  mkdirSync(join(shop.place.home, '.claude'));
  symlinkSync(real, join(shop.place.home, '.claude', 'settings.json'));
  shop.act(() => {});
  const { restored } = shop.act(() => writeFileSync(real, '{"disableAllHooks":true}'));
  expect(restored.map(({ failure }) => failure)).toEqual([undefined]);
  expect(readFileSync(real, 'utf8')).toBe('{"hooks":{}}');
  expect(readlinkSync(join(shop.place.home, '.claude', 'settings.json'))).toBe(real);
});

test('a file that is too large to keep is reported when it changes, and taken from then on', () => {
  const shop = new WatchedCheckout();
  shop.write('.guardkit/big.bin', 'a'.repeat(1_200_000));
  shop.act(() => {});
  const { restored } = shop.act(() => shop.write('.guardkit/big.bin', 'b'.repeat(1_200_000)));
  expect(restored).toMatchObject([{ path: '.guardkit/big.bin', failure: 'it was larger than what is kept' }]);
  expect(shop.violations().map((one) => one.restored)).toEqual([true, false]);
  expect(shop.act(() => {}).restored).toEqual([]);
});
