import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CONFIG, PersonBesideAgent, REVIEWER, TASK, taskText } from '../../support/person-beside-agent.ts';
import type { Tier } from '../../support/protection-tiers.ts';
import { longSample } from '../../support/thorough.ts';

/** Fixed times, so that equal commits have equal hashes. */
const DATES = { GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z', GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z' };

export interface GitOperation {
  name: string;
  commands: readonly string[];
  /** Person only: it touches untracked definitions, or a guard asks about it. */
  personOnly?: boolean;
}

/** Every operation starts on main, with a clean work tree, at the tag `start`. */
const ALL: readonly GitOperation[] = [
  { name: 'checkout', commands: ['git checkout -q other', 'git checkout -q main'] },
  { name: 'switch', commands: ['git switch -q -c mine other', 'git switch -q main'] },
  { name: 'merge', commands: ['git merge -q --no-ff --no-edit other'] },
  {
    name: 'merge that combines',
    commands: ['git checkout -q -b mine other', 'git merge -q --no-edit combine'],
  },
  { name: 'rebase', commands: ['git checkout -q side', 'git rebase -q other'] },
  { name: 'pull', commands: ['git pull -q --no-rebase origin main'] },
  {
    name: 'stash',
    commands: ['echo more >> src/cart.js', 'git stash -q', 'git checkout -q side', 'git stash pop -q'],
  },
  {
    name: 'stash of definitions',
    commands: [`echo >> ${TASK}; echo >> ${REVIEWER}`, 'git stash -q', 'git stash pop -q'],
    personOnly: true,
  },
  { name: 'cherry-pick', commands: ['git cherry-pick other'] },
  { name: 'worktree', commands: ['git worktree add -q ../tree other', 'git worktree remove ../tree'] },
  { name: 'reset', commands: ['git reset -q --keep other', 'git reset -q --soft start', 'git reset -q'] },
  { name: 'reset --hard', commands: ['git reset -q --hard other'], personOnly: true },
  {
    name: 'restore',
    commands: [
      'git restore --source other -- tasks .claude/agents .husky',
      'git restore tasks .claude/agents .husky',
    ],
    personOnly: true,
  },
  { name: 'revert', commands: ['git checkout -q -b back other', 'git revert --no-edit HEAD'] },
  {
    name: 'clean',
    commands: ['echo x > tasks/note.md; echo x > src/note.js', 'git clean -qfd'],
    personOnly: true,
  },
  { name: 'bisect', commands: ['git bisect start other start~1', 'git bisect good', 'git bisect reset'] },
  { name: 'detached checkout', commands: ['git checkout -q other~1', 'git checkout -q -'] },
  {
    name: 'mv and commit',
    commands: ['git mv src/cart.js src/basket.js && git commit -q -m Move', 'git checkout -q other'],
  },
];

/** All of them, in `npm run test:git`, take a quarter of an hour. */
export const OPERATIONS = longSample(3, ALL);

/** Both branches change the same lines of definitions and of effective files. */
export const CONFLICT: GitOperation = {
  name: 'merge with a conflict',
  commands: ['git merge -q other', 'git merge -q clash', 'git merge --abort'],
};

/** A repository whose branches differ in definitions and effective files, and a copy of it without GuardKit. */
export class GitMatrix {
  readonly world: PersonBesideAgent;
  readonly control: string;
  readonly #env: Record<string, string>;

  static async start(tier: Tier): Promise<GitMatrix> {
    const world = await PersonBesideAgent.start(tier, DATES);
    const { person } = world;
    const branch = async (name: string, words: string, guard: boolean) => {
      await person.do(`git checkout -q -b ${name} start`);
      await world.save(CONFIG, `${world.read(CONFIG)}# ${words}\n`);
      await world.save(TASK, taskText('TASK-001', `the cart is ${words}`));
      await world.save(REVIEWER, `${world.read(REVIEWER)}${words}\n`);
      await person.do(`git commit -q -am '${words} rules'`);
      await world.save('.husky/pre-commit', `#!/bin/sh\n# ${words}\nexit 0\n`, { mode: 0o644 });
      await world.save(
        `tasks/backlog/TASK-05${words.length}-new.md`,
        taskText(`TASK-05${words.length}`, words),
      );
      if (guard)
        await world.save(
          '.guardkit/guards/no-deploy.yaml',
          'id: no-deploy\nsummary: No.\ncommands:\n  - {program: deploy}\nreason: No.\nguidance: Ask.\n',
        );
      await person.do(`git add -A && git commit -q -m '${words} files'`);
    };
    await world.save(TASK, taskText('TASK-001', 'the cart is there'));
    await person.do(`git commit -q -am 'Before the branches' && git tag start`);
    await branch('other', 'other', true);
    await branch('clash', 'clashing', false);
    // Changes other lines of the same files than the other branches.
    await person.do(
      `git checkout -q -b combine start && sed -i '3s/$/ all/' ${REVIEWER} ${TASK} && git commit -q -am Combine`,
    );
    await person.do(
      'git checkout -q -b side start && echo side >> src/cart.js && git commit -q -am Side && git tag side-start',
    );
    await branch('upstream', 'upstream', true);
    await person.do(
      `git checkout -q main && git clone -q --bare . ../origin && git remote add origin "$PWD/../origin"`,
    );
    await person.do('git -C ../origin branch -f main upstream && git branch -q -D upstream');
    return new GitMatrix(world);
  }

  private constructor(world: PersonBesideAgent) {
    this.world = world;
    this.control = join(world.root, 'control', 'shop');
    this.#env = {
      PATH: '/usr/bin:/bin',
      HOME: world.home,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_EDITOR: 'true',
      ...DATES,
    };
    mkdirSync(join(world.root, 'control'));
    cpSync(world.folder, this.control, { recursive: true, verbatimSymlinks: true });
    // The copy has other file times, which the index would compare.
    for (const folder of [this.control, world.folder]) this.#git(folder, 'update-index', '-q', '--refresh');
  }

  /** Resets both, as a person between actions. */
  reset(): void {
    for (const folder of [this.world.folder, this.control]) {
      for (const abort of ['merge', 'rebase', 'cherry-pick', 'revert'])
        spawnSync('git', [abort, '--abort'], { cwd: folder, env: this.#env });
      this.#git(folder, 'checkout', '-q', '-f', 'main');
      this.#git(folder, 'reset', '-q', '--hard', 'start');
      this.#git(folder, 'clean', '-qfd');
      for (const branch of ['mine', 'back'])
        spawnSync('git', ['branch', '-q', '-D', branch], { cwd: folder, env: this.#env });
      this.#git(folder, 'branch', '-q', '-f', 'side', 'side-start');
      spawnSync('git', ['stash', 'clear'], { cwd: folder, env: this.#env });
      rmSync(join(folder, '..', 'tree'), { recursive: true, force: true });
    }
  }

  /** Runs a command in the copy, and lists the differences of the repository. */
  compare(operation: string, command: string): string[] {
    spawnSync('/bin/bash', ['-c', command], { cwd: this.control, env: this.#env, stdio: 'ignore' });
    return this.differences(`${operation}: ${command}`);
  }

  differences(when: string): string[] {
    const [found, expected] = [this.#state(this.world.folder), this.#state(this.control)];
    return Object.keys(expected)
      .filter((part) => found[part] !== expected[part])
      .map((part) => `${when}: ${part} is\n${lineDiff(found[part] ?? '', expected[part] ?? '')}`);
  }

  #state(folder: string): Record<string, string> {
    return {
      head: this.#git(folder, 'rev-parse', 'HEAD', '--abbrev-ref', 'HEAD'),
      status: this.#git(folder, 'status', '--porcelain'),
      index: this.#git(folder, 'ls-files', '--stage'),
      refs: this.#git(
        folder,
        'for-each-ref',
        '--format=%(objectname) %(refname)',
        'refs/heads',
        'refs/stash',
      ),
      files: workTree(folder),
    };
  }

  #git(folder: string, ...args: string[]): string {
    return execFileSync('git', args, { cwd: folder, env: this.#env, encoding: 'utf8', stdio: 'pipe' }).trim();
  }
}

/** Each file's mode and hash. Settings of this machine and GuardKit's own progress files do not count. */
function workTree(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(folder, path), path] as const)
    .filter(([name]) => !/^\.git\/|^\.claude\/(?:settings\.local\.json$|progress\/)/.test(name))
    .map(([name, path]) => {
      const hash = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12);
      return `${(lstatSync(path).mode & 0o111).toString(8)} ${hash} ${name}`;
    })
    .sort()
    .join('\n');
}

function lineDiff(found: string, expected: string): string {
  const [have, want] = [found.split('\n'), expected.split('\n')];
  return [
    ...have.filter((line) => !want.includes(line)).map((line) => `  + ${line}`),
    ...want.filter((line) => !have.includes(line)).map((line) => `  - ${line}`),
  ].join('\n');
}
