import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CONFIG, WatchedCheckout } from './windows-fixture.ts';

const STRICT = `${CONFIG}verify: {tests: {command: npm test}}\n`;
const LAX = `${CONFIG}verify: {tests: {command: 'true'}}\n`;

/** With a person's branch on which the definitions are others. */
function withBranch(): WatchedCheckout {
  const shop = new WatchedCheckout();
  shop.git('checkout', '--quiet', '-b', 'person');
  shop.write('.guardkit/config.yaml', STRICT);
  shop.write('tasks/TASK-2.md', '# Two\n');
  shop.git('rm', '--quiet', 'tasks/TASK-1.md');
  shop.commit('Stricter');
  shop.git('checkout', '--quiet', 'main');
  return shop;
}

describe('what an agent brings with git from a person’s commits stays:', () => {
  test('a branch that it switches to, and back', () => {
    const shop = withBranch();
    const { restored } = shop.act(() => shop.git('checkout', '--quiet', 'person'));
    expect(restored).toEqual([]);
    expect(shop.read('.guardkit/config.yaml')).toBe(STRICT);
    expect(shop.read('tasks/TASK-2.md')).toBe('# Two\n');
    expect(shop.act(() => shop.git('checkout', '--quiet', 'main')).restored).toEqual([]);
    expect(shop.read('.guardkit/config.yaml')).toBe(CONFIG);
    expect(shop.violations()).toEqual([]);
  });

  test('a branch of its own with work on it, left and come back to', () => {
    const shop = withBranch();
    shop.act(() => {
      shop.git('checkout', '--quiet', '-b', 'work');
      shop.write('src/a.js', 'export const a = 1;\n');
      shop.git('commit', '--quiet', '--all', '--message', 'Work');
    });
    shop.act(() => shop.git('checkout', '--quiet', 'person'));
    shop.act(() => shop.git('checkout', '--quiet', 'work'));
    shop.act(() => shop.git('merge', '--quiet', '--no-edit', 'person'));
    expect(shop.violations()).toEqual([]);
    expect(shop.read('.guardkit/config.yaml')).toBe(STRICT);
  });

  test('what a person committed between two of its actions', () => {
    const shop = withBranch();
    shop.act(() => {});
    shop.git('checkout', '--quiet', '-b', 'later');
    shop.write('.guardkit/config.yaml', `${STRICT}# later\n`);
    shop.commit('Later');
    shop.git('checkout', '--quiet', 'main');
    shop.act(() => shop.git('checkout', '--quiet', 'later'));
    expect(shop.violations()).toEqual([]);
    expect(shop.read('.guardkit/config.yaml')).toContain('later');
  });

  test('a person’s change that it stashes and brings back', () => {
    const shop = withBranch();
    shop.act(() => {});
    shop.write('.guardkit/config.yaml', STRICT);
    const { closed } = shop.act(() => shop.git('stash', '--quiet'));
    expect(shop.quarantined().map((file) => readFileSync(file, 'utf8'))).toEqual([STRICT]);
    expect(closed.notices.join()).toContain(shop.quarantined()[0]);
    expect(shop.read('.guardkit/config.yaml')).toBe(CONFIG);
    shop.act(() => shop.git('stash', 'pop', '--quiet'));
    expect(shop.read('.guardkit/config.yaml')).toBe(STRICT);
    expect(shop.violations()).toEqual([]);
  });
});

describe('what an agent brings with git from elsewhere does not:', () => {
  const commitOf = (shop: WatchedCheckout, text: string): void => {
    writeFileSync(join(shop.folder, 'lax'), text);
    const blob = shop.git('hash-object', '-w', join(shop.folder, 'lax'));
    shop.git('update-index', '--cacheinfo', `100644,${blob},.guardkit/config.yaml`);
    shop.git('commit', '--quiet', '--message', 'Tidy');
  };

  test('a commit of its own, made without touching the file, that it checks out in a later action', () => {
    const shop = withBranch();
    shop.act(() => {
      shop.git('checkout', '--quiet', '-b', 'work');
      commitOf(shop, LAX);
    });
    expect(shop.read('.guardkit/config.yaml')).toBe(CONFIG);
    const { restored } = shop.act(() => shop.git('reset', '--quiet', '--hard'));
    expect(restored.map(({ path }) => path)).toEqual(['.guardkit/config.yaml']);
    expect(shop.read('.guardkit/config.yaml')).toBe(CONFIG);
  });

  test('an old version that it commits anew', () => {
    const shop = withBranch();
    shop.git('checkout', '--quiet', 'person');
    shop.act(() => {
      shop.git('checkout', '--quiet', 'main', '--', '.guardkit/config.yaml');
      shop.git('commit', '--quiet', '--message', 'Back');
    });
    expect(shop.read('.guardkit/config.yaml')).toBe(STRICT);
    expect(shop.violations()).toHaveLength(1);
  });

  test('an old version that it lays under a merge with an old commit', () => {
    const shop = withBranch();
    shop.git('checkout', '--quiet', 'person');
    shop.act(() => {
      const tree = shop.git('rev-parse', 'main^{tree}');
      const merge = shop.git('commit-tree', tree, '-p', 'person', '-p', 'main', '-m', 'Merge');
      shop.git('reset', '--quiet', '--hard', merge);
    });
    expect(shop.read('.guardkit/config.yaml')).toBe(STRICT);
    expect(shop.read('tasks/TASK-2.md')).toBe('# Two\n');
  });

  test('a commit that it fetches from a repository of its own making', () => {
    const shop = withBranch();
    shop.act(() => {});
    const evil = new WatchedCheckout();
    evil.write('.guardkit/config.yaml', LAX);
    evil.commit('Lax');
    shop.act(() =>
      shop.git('pull', '--quiet', '--allow-unrelated-histories', '-X', 'theirs', evil.path(), 'main'),
    );
    expect(shop.read('.guardkit/config.yaml')).toBe(CONFIG);
    expect(shop.violations()).toHaveLength(1);
  });

  test('the loss of a file that was never committed, or that it committed to have git take it away', () => {
    const shop = withBranch();
    shop.write('.claude/settings.local.json', '{"hooks":{}}');
    shop.act(() => {});
    shop.act(() => shop.git('clean', '--quiet', '--force', '-d', '-x'));
    expect(shop.read('.claude/settings.local.json')).toBe('{"hooks":{}}');
    shop.act(() => {
      shop.git('checkout', '--quiet', '-b', 'work');
      shop.git('add', '--force', '.claude/settings.local.json');
      shop.git('commit', '--quiet', '--message', 'Keep');
    });
    shop.act(() => shop.git('checkout', '--quiet', 'person'));
    expect(shop.read('.claude/settings.local.json')).toBe('{"hooks":{}}');
    expect(shop.read('.guardkit/config.yaml')).toBe(STRICT);
    expect(shop.violations().map(({ path }) => path)).toEqual([
      '.claude/settings.local.json',
      '.claude/settings.local.json',
    ]);
  });

  test('the loss of a file in a commit of its own', () => {
    const shop = withBranch();
    shop.act(() => {
      shop.git('rm', '--quiet', '.guardkit/config.yaml');
      shop.git('commit', '--quiet', '--message', 'Tidy');
    });
    expect(shop.read('.guardkit/config.yaml')).toBe(CONFIG);
  });

  test('a version whose commit it has git replace another one by', () => {
    const shop = withBranch();
    shop.act(() => {
      const before = shop.git('rev-parse', 'HEAD');
      commitOf(shop, LAX);
      const lax = shop.git('rev-parse', 'HEAD');
      shop.git('reset', '--quiet', '--soft', before);
      shop.git('replace', before, lax);
      shop.git('checkout', '--quiet', '--force', 'HEAD');
      shop.write('.guardkit/config.yaml', LAX);
    });
    expect(shop.read('.guardkit/config.yaml')).toBe(CONFIG);
  });
});

describe('git’s own configuration', () => {
  const after = (change: (shop: WatchedCheckout) => void) => {
    const shop = new WatchedCheckout();
    const { restored } = shop.act(() => change(shop));
    return { shop, paths: restored.map(({ path }) => path) };
  };

  test('may be set in what runs nothing', () => {
    const { shop, paths } = after((one) => {
      one.git('config', 'user.name', 'Agent');
      one.git('remote', 'add', 'fork', 'https://example.invalid/fork.git');
      one.git('branch', 'topic');
      one.git('config', 'branch.topic.remote', 'fork');
      one.git('config', 'alias.st', 'status');
    });
    expect(paths).toEqual([]);
    expect(shop.git('config', 'user.name')).toBe('Agent');
    expect(shop.act(() => shop.git('config', 'core.hooksPath', 'evil')).restored).toHaveLength(1);
    expect(shop.git('config', 'user.name')).toBe('Agent');
  });

  const dangerous = [
    ['core.hooksPath', '.husky'],
    ['includeIf.gitdir:/.path', '../evil'],
  ];
  for (const [key = '', value = ''] of dangerous) {
    test(`may not be given the order ${key}`, () => {
      const { shop, paths } = after((one) => one.git('config', key, value));
      expect(paths).toEqual(['.git/config']);
      expect(shop.git('config', '--list')).not.toContain(value);
    });
  }
});
