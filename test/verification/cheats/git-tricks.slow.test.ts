import { existsSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import {
  CheatBase,
  type CheatProject,
  config,
  HONEST,
  MULTIPLY,
  ONE_PROCESS_PROJECT,
  task,
  UNTESTED,
} from './cheat-project.ts';
import { type Cheat, expectRefused, expectStopped, tryEach } from './expect-stopped.ts';

const base = new CheatBase(ONE_PROCESS_PROJECT);
afterAll(() => base.cleanup());

const WRONG = MULTIPLY.replace('*', '+');
const FAILING = { ...HONEST, 'src/multiply.js': WRONG };
const FAILS = { gate: 'tests', reason: /multiplies two numbers/ } as const;
const HALF = { ...HONEST, 'src/multiply.js': MULTIPLY + UNTESTED };
const TOO_LITTLE = { gate: 'coverage', code: 'below-threshold', reason: /\b80\.0%/ } as const;
const BROKEN_ADD = 'export function add(a, b) {\n  return a - b;\n}\n';
const ADD_FAILS = { gate: 'tests', reason: /adds two numbers/ } as const;
/** As lenient as a base can be. */
const LENIENT = {
  '.guardkit/config.yaml': config('tests:\n  command: "true"\n'),
  'tasks/TASK-001.md': task().replace('task_type: feature', 'task_type: documentation'),
};
/** A program that proves it ran, and prints content that would pass. */
const filter = (project: CheatProject): string =>
  project.sandbox.write(
    `${project.name}.filter.sh`,
    `#!/bin/sh\ntouch ${project.path(`../ran-${project.name}`)}\nsed 's/a + b/a * b/'\n`,
  );

const CHEATS: Cheat[] = [
  {
    name: 'a file marked assume-unchanged is judged as it is',
    files: { ...HONEST, 'src/add.js': BROKEN_ADD },
    also: (project) => project.git('update-index', '--assume-unchanged', 'src/add.js'),
    ...ADD_FAILS,
  },
  {
    name: 'a file marked skip-worktree is judged as it is',
    files: { ...HONEST, 'src/add.js': BROKEN_ADD },
    also: (project) => project.git('update-index', '--skip-worktree', 'src/add.js'),
    ...ADD_FAILS,
  },
  {
    name: 'a filter in the repository’s settings does not change the judged content',
    files: { ...FAILING, '.gitattributes': '*.js filter=nice\n' },
    also: (project) => {
      for (const name of ['clean', 'smudge'])
        project.git('config', `filter.nice.${name}`, `sh ${filter(project)}`);
      project.git('config', 'filter.nice.required', 'true');
    },
    ...FAILS,
  },
  {
    name: 'attributes outside the tree do not hide code from coverage',
    files: HALF,
    also: (project) => project.write({ '.git/info/attributes': '*.js -diff\n' }),
    ...TOO_LITTLE,
  },
  {
    name: 'a base commit replaced by a lenient one is read unreplaced',
    files: FAILING,
    also: (project) => {
      const main = project.git('rev-parse', 'main');
      project.git('checkout', '--quiet', '--detach', 'main');
      project.write(LENIENT).commit('Lenient');
      const lenient = project.git('rev-parse', 'HEAD');
      project.git('checkout', '--quiet', '--force', 'work');
      project.write(FAILING).git('replace', main, lenient);
    },
    ...FAILS,
  },
  {
    name: 'a base definition whose blob is replaced is read unreplaced',
    files: FAILING,
    also: (project) => {
      const blob = project.git('rev-parse', 'main:.guardkit/config.yaml');
      const path = project.sandbox.write(`${project.name}.yaml`, LENIENT['.guardkit/config.yaml']);
      project.git('replace', blob, project.git('hash-object', '-w', path));
    },
    ...FAILS,
  },
  {
    name: 'a graft does not move the merge base',
    files: FAILING,
    also: (project) => {
      project.write(LENIENT).commit('Lenient');
      const [lenient, main] = [project.git('rev-parse', 'HEAD'), project.git('rev-parse', 'main')];
      project.write({ 'docs/a.md': 'a' }).commit('Work');
      // main becomes a child of the lenient commit, so that it is the merge base.
      project.write({ '.git/info/grafts': `${main} ${lenient}\n${lenient}\n` });
    },
    ...FAILS,
  },
  {
    name: 'a tag named main is not the main branch',
    files: FAILING,
    also: (project) => {
      project.write(LENIENT).commit('Lenient').git('tag', 'main');
      project.write(FAILING);
    },
    ...FAILS,
  },
  {
    name: 'settings that hide files from the workspace’s checkout are ignored there',
    files: FAILING,
    also: async (project) => {
      await project.write({ 'src/multiply.js': MULTIPLY }).verify();
      project.write(FAILING);
      project.git('config', 'core.sparseCheckout', 'true');
      const [workspace = ''] = project.git('worktree', 'list', '--porcelain').match(/verify-\S+/) ?? [];
      project.write({
        [`.git/worktrees/${workspace}/info/sparse-checkout`]: '/*\n!/test/multiply.test.js\n',
      });
    },
    ...FAILS,
  },
  {
    name: 'a core.worktree setting is ignored',
    files: FAILING,
    also: (project) => {
      project.sandbox.write(`elsewhere-${project.name}/src/multiply.js`, MULTIPLY);
      project.git('config', 'core.worktree', project.sandbox.path(`elsewhere-${project.name}`));
    },
    ...FAILS,
  },
  {
    name: 'source that links out of the tree is reported',
    files: {
      ...HONEST,
      'src/multiply.js': `export { multiply } from './parts/real.js';\n${'export const a = 1;\n'.replace('a', 'b')}${[...'cdefghij'].map((one) => `export const ${one} = 1;\n`).join('')}`,
    },
    also: (project) => {
      project.sandbox.write('outside/real.js', MULTIPLY + UNTESTED);
      project.link('src/parts', project.sandbox.path('outside'));
    },
    gate: 'harness',
    reason: /src\/parts/,
  },
  {
    name: 'a test folder that links out of the tree is a lost test',
    files: HONEST,
    also: (project) => {
      project.write({ 'src/add.js': BROKEN_ADD, test: null });
      project.sandbox.write(
        'outside/tests/add.test.js',
        "import { test } from 'node:test';\ntest('adds two numbers', () => {});\n",
      );
      project.link('test', project.sandbox.path('outside/tests'));
    },
    gate: 'no-test-lost',
    reason: /add\.test\.js/,
  },
  {
    name: 'files with names like options or with line ends are judged like any other',
    files: { ...FAILING, '-n': 'x', '--output=x': 'x', 'src/a\nb.js': UNTESTED, 'src/"q".js': UNTESTED },
    ...FAILS,
  },
  {
    name: 'an alternate object store has no effect',
    files: FAILING,
    also: (project) =>
      project.write({
        '.git/objects/info/alternates': `${project.sandbox.path('base', '.git', 'objects')}\n`,
      }),
    ...FAILS,
  },
];

describe.concurrent('tricks with git', () => {
  tryEach(base, CHEATS);

  it('a filter of the repository never runs', async () => {
    const project = base
      .project()
      .write({ ...FAILING, '.gitattributes': '*.js filter=nice diff=nice merge=nice\n' });
    const program = `sh ${filter(project)}`;
    for (const name of [
      'filter.nice.clean',
      'filter.nice.smudge',
      'filter.nice.process',
      'diff.nice.textconv',
      'diff.nice.command',
      'core.fsmonitor',
      'alias.add',
      'core.pager',
    ])
      project.git('config', name, program);
    project.git('config', 'core.hooksPath', project.path('hooks'));
    for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction'])
      project.program(`hooks/${hook}`, `#!/bin/sh\ntouch ${project.path(`../ran-${project.name}`)}\n`);
    expectStopped(await project.verify(), FAILS);
    expect(existsSync(project.path(`../ran-${project.name}`))).toBe(false);
  });

  it('a repository marked as bare is not verified as something else', async () => {
    const project = base.project().write(FAILING);
    project.git('config', 'core.bare', 'true');
    const answer = await project.verify();
    if (answer.gates.size > 0) expectStopped(answer, FAILS);
    else expectRefused(answer, 'git.not-a-repository');
  });

  it('a file in the repository’s exclude list is missing for the tests too', async () => {
    const project = base.project().write(HONEST);
    project.write({ '.git/info/exclude': 'src/multiply.js\n' });
    expectStopped(await project.verify(), { gate: 'tests', code: 'command-failed', reason: /\bexit 1\b/ });
  });

  it('a base named like an option is not an option', async () => {
    const project = base.project().write(FAILING);
    project.git('update-ref', 'refs/heads/--output=x', 'HEAD');
    expectStopped(await project.verify('--base=--output=x'), FAILS);
    expect(existsSync(project.path('x'))).toBe(false);
    expectRefused(await project.verify('--base=--all'), 'base.unknown');
  });

  it('worktree-specific settings run no program', async () => {
    const project = base.project().write(HONEST);
    await project.verify();
    project.write({ ...FAILING, '.gitattributes': '*.js filter=nice\n' });
    project.git('config', 'extensions.worktreeConfig', 'true');
    const [workspace = ''] = project.git('worktree', 'list', '--porcelain').match(/verify-\S+/) ?? [];
    project.write({
      [`.git/worktrees/${workspace}/config.worktree`]: `[filter "nice"]\n\tsmudge = sh ${filter(project)}\n`,
    });
    expectStopped(await project.verify(), FAILS);
    expect(existsSync(project.path(`../ran-${project.name}`))).toBe(false);
  });

  it('settings of a submodule run no program', async () => {
    const project = base.project();
    const sub = `sub-${project.name}`;
    project.sandbox.emptyRepository(sub);
    project.sandbox.write(`${sub}/a.js`, 'a + b');
    project.sandbox.write(`${sub}/.gitattributes`, '*.js filter=nice\n');
    project.sandbox.git(sub, 'add', '--all');
    project.sandbox.commit(sub, 'Sub');
    project.write(FAILING);
    project.git(
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'add',
      project.sandbox.path(sub),
      'sub',
    );
    project.git('config', '--file', '.git/modules/sub/config', 'filter.nice.smudge', `sh ${filter(project)}`);
    expectStopped(await project.verify(), FAILS);
    expect(existsSync(project.path(`../ran-${project.name}`))).toBe(false);
  });
});

describe.concurrent('confusion about the base', () => {
  /** Work began before the cheat, so that it is judged by the base's rules wherever it was committed. */
  const begun = async () => {
    const project = base.project().write(HALF);
    expectStopped(await project.verify(), UNCOVERED);
    return project;
  };
  const UNCOVERED = { gate: 'coverage', code: 'below-threshold' } as const;

  it('a cheat committed on main is judged from where the work began', async () => {
    const project = await begun();
    project.git('checkout', '--quiet', 'main');
    project.write({ ...HALF, ...LENIENT }).commit('Cheat');
    const answer = await project.verify();
    expectStopped(answer, UNCOVERED);
  });

  it('moving main forward to the cheat changes nothing', async () => {
    const project = (await begun()).write(LENIENT).commit('Cheat');
    project.git('branch', '--force', 'main', 'HEAD');
    expectStopped(await project.verify(), UNCOVERED);
  });

  it('--base HEAD after committing the cheat is refused', async () => {
    const project = (await begun()).commit('Cheat');
    expectRefused(await project.verify('--base', 'HEAD'), 'base.not-on-main');
    project.git('checkout', '--quiet', '-B', 'main');
    expectRefused(await project.verify('--base', 'HEAD'), 'base.after-beginning');
  });

  it('a base created by the branch itself is refused', async () => {
    const project = base.project().write(LENIENT).commit('Lenient').write(FAILING).commit('Work');
    expectRefused(await project.verify('--base', 'HEAD~1'), 'base.not-on-main');
  });

  it('the person’s index and files stay unchanged', async () => {
    const project = base.project().write(FAILING);
    // It refreshes the index itself, so it comes first.
    const status = project.git('status', '--porcelain');
    const before = readFileSync(project.path('.git/index'));
    await project.verify();
    expect(readFileSync(project.path('.git/index')).equals(before)).toBe(true);
    expect(project.git('status', '--porcelain')).toBe(status);
  });
});
