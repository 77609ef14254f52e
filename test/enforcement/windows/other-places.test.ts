import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { closeWindow } from '../../../src/enforcement/windows/close-window.ts';
import { lookAround, openWindow } from '../../../src/enforcement/windows/open-window.ts';
import { findGitFolder } from '../../../src/platform/git-folder.ts';
import { CONFIG, WatchedCheckout } from './windows-fixture.ts';

const LAX = 'project: lax\n';

/** A person's other checkout of the same repository. */
function withTree(): { shop: WatchedCheckout; tree: string; rules: string } {
  const shop = new WatchedCheckout();
  const tree = join(shop.folder, 'tree');
  shop.git('worktree', 'add', '--quiet', '-b', 'other', tree);
  return { shop, tree, rules: join(tree, '.guardkit', 'config.yaml') };
}

describe('another checkout of the repository', () => {
  test('is put back where a command changed it', () => {
    const { shop, tree, rules } = withTree();
    const { restored } = shop.act(() => {
      writeFileSync(rules, LAX);
      writeFileSync(join(tree, '.claude', 'settings.json'), '{"disableAllHooks":true}\n');
      rmSync(join(tree, 'tasks'), { recursive: true });
    });
    expect(restored.map(({ path }) => path).sort()).toEqual(
      [rules, join(tree, '.claude/settings.json'), join(tree, 'tasks/TASK-1.md')].sort(),
    );
    expect(readFileSync(rules, 'utf8')).toBe(CONFIG);
    expect(readFileSync(join(tree, 'tasks/TASK-1.md'), 'utf8')).toBe('# One\n');
  });

  test('is a person’s between two commands, and while the agent’s own program edits a file', () => {
    const { shop, rules } = withTree();
    shop.act(() => {});
    writeFileSync(rules, `${CONFIG}# mine\n`);
    expect(shop.act(() => {}).restored).toEqual([]);
    const { restored } = shop.act(() => writeFileSync(rules, `${CONFIG}# mine too\n`), { runs: false });
    expect(restored).toEqual([]);
    expect(shop.act(() => {}).restored).toEqual([]);
    expect(readFileSync(rules, 'utf8')).toContain('mine too');
  });

  test('keeps what git brings there from a person’s commits, and not what it brings from the agent’s', () => {
    const { shop, tree, rules } = withTree();
    shop.git('checkout', '--quiet', '-b', 'stricter');
    shop.write('.guardkit/config.yaml', `${CONFIG}# stricter\n`);
    shop.commit('Stricter');
    shop.git('checkout', '--quiet', 'main');
    lookAround(shop.place);
    expect(shop.act(() => shop.git('-C', tree, 'merge', '--quiet', 'stricter')).restored).toEqual([]);
    expect(readFileSync(rules, 'utf8')).toContain('stricter');
    const { restored } = shop.act(() => {
      writeFileSync(rules, LAX);
      shop.git('-C', tree, 'commit', '--quiet', '--all', '--message', 'Lax');
    });
    expect(restored.map(({ path }) => path)).toEqual([rules]);
    expect(readFileSync(rules, 'utf8')).toContain('stricter');
  });

  test('is left to the agents that act there themselves', () => {
    const { shop, tree, rules } = withTree();
    const git = findGitFolder(tree);
    if (!git) throw new Error('there is no worktree');
    const there = { ...shop.place, checkout: tree, git };
    shop.act(() => {});
    const theirs = shop.opening({ session: 's2' });
    openWindow(there, theirs);
    expect(shop.act(() => writeFileSync(rules, LAX)).restored).toEqual([]);
    expect(closeWindow(there, { ...theirs, orphans: false }).restored).toMatchObject([{ session: 's2' }]);
    expect(readFileSync(rules, 'utf8')).toBe(CONFIG);
  });

  test('that came up in the middle of a command is new as a whole, and watched from then on', () => {
    const shop = new WatchedCheckout();
    const tree = join(shop.folder, 'later');
    expect(shop.act(() => shop.git('worktree', 'add', '--quiet', tree)).restored).toEqual([]);
    const rules = join(tree, '.guardkit', 'config.yaml');
    expect(shop.act(() => writeFileSync(rules, LAX)).restored).toHaveLength(1);
    expect(readFileSync(rules, 'utf8')).toBe(CONFIG);
  });

  test('of a build, in the data folder, is no person’s', () => {
    const shop = new WatchedCheckout();
    const tree = join(shop.place.dataFolder, 'worktrees', 'build');
    shop.git('worktree', 'add', '--quiet', tree);
    shop.act(() => {});
    expect(shop.act(() => writeFileSync(join(tree, 'tasks', 'TASK-1.md'), 'x')).restored).toEqual([]);
  });
});

describe('settings of an agent in a folder of the project', () => {
  const OFF = '{"disableAllHooks":true}\n';
  const UI = 'packages/ui/.claude/settings.json';

  test.each([UI, 'web/.claude/settings.local.json'])('are taken away where an agent made %s', (path) => {
    const shop = new WatchedCheckout();
    shop.write('packages/ui/index.js', '');
    shop.write('web/index.js', '');
    expect(shop.act(() => shop.write(path, OFF)).restored).toMatchObject([{ path, how: 'was made' }]);
    expect(existsSync(shop.path(path))).toBe(false);
  });

  test('are taken away also where the agent made the folder', () => {
    const shop = new WatchedCheckout();
    expect(shop.act(() => shop.write(UI, OFF)).restored).toMatchObject([{ path: UI }]);
  });

  test('stay as a person has them', () => {
    const shop = new WatchedCheckout();
    shop.write(UI, '{"model":"x"}\n');
    shop.act(() => {});
    expect(shop.act(() => shop.write(UI, OFF)).restored).toMatchObject([{ path: UI, how: 'was changed' }]);
    expect(shop.act(() => rmSync(shop.path(UI))).restored).toMatchObject([{ path: UI, how: 'was removed' }]);
    expect(shop.read(UI)).toBe('{"model":"x"}\n');
  });

  test('of an installed package are nobody’s business', () => {
    const shop = new WatchedCheckout();
    const { restored } = shop.act(() => shop.write('node_modules/left/.claude/settings.json', OFF));
    expect(restored).toEqual([]);
  });
});
