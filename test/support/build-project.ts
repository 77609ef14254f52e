import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll } from 'vitest';
import { stringify } from 'yaml';
import type { TurnState } from '../../src/domain/entities/turn-state.ts';
import type { JsonObject } from '../../src/domain/json/json.ts';
import type { BuildEvent } from '../../src/orchestration/feature-build/build-event.ts';
import { openSqlite } from '../../src/platform/open-sqlite.ts';
import type { CliResult, RunOptions } from './cli.ts';
import { BASE_FILES, HONEST_CHANGE, ONE_PROCESS, RUN_TESTS, VerifiedProject } from './verified-project.ts';

export interface BuiltTurn extends TurnState {
  coach_verdict: JsonObject | null;
  overridden_because?: string[];
}

export interface BuiltJson {
  feature: string;
  outcome: string;
  tasks: { task: string; outcome: string; turns: BuiltTurn[] }[];
  worktree: string;
  branch: string;
  next: string;
}

export interface Built extends CliResult {
  json: BuiltJson;
  /** The turns of the first task. */
  turns: BuiltTurn[];
}

export interface Entry {
  kind: string;
  body: JsonObject;
}

/** The same project where no coverage is asked for, which spares a run of the tests in every turn. */
export const LIGHT_FILES: Readonly<Record<string, string>> = {
  ...BASE_FILES,
  ...ONE_PROCESS,
  '.guardkit/config.yaml': `project: calc-1234\nverify:\n  tests:\n    command: ${RUN_TESTS}\n`,
  '.guardkit/config/quality-gates.yaml':
    'quality_gate_configs:\n  - {task_type: feature, complexity_range: [1, 3], coverage_required: false}\n',
};

/** A task that asks for words: one check instead of tests, so that a build takes next to no time. */
export const DOCS_FILES: Readonly<Record<string, string>> = {
  'tasks/TASK-001-guide.md': `---
id: TASK-001
title: Guide
task_type: documentation
complexity: 1
---
# Guide

## Acceptance Criteria
- AC-001: the guide tells how to add
`,
  '.guardkit/config.yaml':
    'project: calc-1234\nverify:\n  checks:\n    - {name: the guide is there, command: test -s docs/guide.md}\n',
};

export function docsTurn(text: string) {
  return {
    player: {
      write: { 'docs/guide.md': `${text}\n` },
      report: { decision: 'implemented', summary: `Wrote ${text}`, files_modified: ['docs/guide.md'] },
    },
    coach: {
      verdict: {
        decision: 'approved',
        criteria: { 'AC-001': { status: 'verified', evidence: 'the guide is there' } },
        feedback: 'Good',
      },
    },
  };
}

/** A Player that does what TASK-001 asks, with a test of it. */
export const HONEST_PLAYER = {
  write: HONEST_CHANGE,
  report: {
    decision: 'implemented',
    summary: 'Added sub and a test of it',
    files_modified: Object.keys(HONEST_CHANGE),
    tests_passed: 2,
    criteria: { 'AC-001': 'verified' },
  },
};

export const APPROVAL = {
  decision: 'approved',
  criteria: { 'AC-001': { status: 'verified', evidence: 'AC-001 subtracts' } },
  arch_score: 80,
  feedback: 'Good',
};

export const HONEST_TURN = { player: HONEST_PLAYER, coach: { verdict: APPROVAL } };

/** A project whose task is built by scripted agents; the person's own work lies half finished in its checkout. */
export class BuildProject extends VerifiedProject {
  static readonly FEATURE = 'TASK-001';
  #scenarios = 0;

  constructor(base: Readonly<Record<string, string>> = BASE_FILES) {
    super(base);
  }

  scenario(content: unknown): string {
    return this.sandbox.write(`scenarios/${++this.#scenarios}.yaml`, stringify(content));
  }

  /** Runs the script in this process, and gives what was printed for programs. */
  async build(turns: unknown, args: readonly string[] = [], options: RunOptions = {}): Promise<Built> {
    const result = await this.tryBuild(turns, args, options);
    let json: BuiltJson;
    try {
      json = JSON.parse(result.stdout) as BuiltJson;
    } catch {
      throw new Error(`no document was printed (exit ${result.exitCode}): ${result.stdout}${result.stderr}`);
    }
    return { ...result, json, turns: json.tasks?.[0]?.turns ?? [] };
  }

  tryBuild(turns: unknown, args: readonly string[] = [], options: RunOptions = {}): Promise<CliResult> {
    return this.guardkit(this.buildArguments(turns, args), options);
  }

  buildArguments(turns: unknown, args: readonly string[] = []): string[] {
    const scenario = this.scenario(Array.isArray(turns) ? { turns } : turns);
    const id = args[0]?.startsWith('-') === false ? [] : ['TASK-001'];
    return ['feature-build', ...id, '--driver', 'script', '--scenario', scenario, '--json', ...args];
  }

  /** What was printed of the build as it went on, with `--json-events`. */
  static events({ stderr }: CliResult): BuildEvent[] {
    return stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as BuildEvent);
  }

  get worktree(): string {
    return join(this.sandbox.home, 'worktrees', 'calc-1234', this.feature);
  }

  /** A task that is in no feature is one of its own. */
  readonly feature: string = BuildProject.FEATURE;

  entries(): Entry[] {
    const database = openSqlite(join(this.sandbox.home, 'ledger.db'), { readonly: true });
    try {
      return (
        database.prepare('SELECT kind, body FROM entries ORDER BY number').all() as {
          kind: string;
          body: string;
        }[]
      ).map(({ kind, body }) => ({ kind, body: JSON.parse(body) as JsonObject }));
    } finally {
      database.close();
    }
  }

  /** The last recorded state of each turn. */
  recordedTurns(): TurnState[] {
    const turns = new Map<string, TurnState>();
    for (const { kind, body } of this.entries())
      if (kind === 'turn_recorded') turns.set(`${body.task_id}/${body.turn_number}`, body as TurnState);
    return [...turns.values()];
  }

  /** The tree of a commit as gates see it. */
  treeOf(commit: string): string {
    const index = this.sandbox.path(`index-${randomUUID()}`);
    const env = { ...this.sandbox.env, GIT_INDEX_FILE: index };
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: this.path(), env, encoding: 'utf8' }).trim();
    git('read-tree', commit);
    git(
      'rm',
      '-r',
      '--cached',
      '--quiet',
      '--force',
      '--ignore-unmatch',
      '--',
      '.guardkit',
      '.claude/progress',
    );
    return git('write-tree');
  }

  refs(): string[] {
    return this.git('for-each-ref', '--format=%(refname)', 'refs/guardkit').split('\n').filter(Boolean);
  }

  /** Everything of the person's own: files, index, branch, settings, stash and refs that are not GuardKit's. */
  checkout(): JsonObject {
    return {
      files: this.#files(),
      index: this.git('ls-files', '--stage'),
      branch: this.git('rev-parse', '--symbolic-full-name', 'HEAD'),
      refs: this.git(
        'for-each-ref',
        '--format=%(refname) %(objectname)',
        'refs/heads/main',
        'refs/heads/work',
        'refs/stash',
        'refs/tags',
      ),
      config: readFileSync(this.path('.git', 'config'), 'utf8'),
      hooks: readdirSync(this.path('.git', 'hooks')).sort(),
    };
  }

  #files(): JsonObject {
    const found: Record<string, string> = {};
    const walk = (folder: string) => {
      for (const name of readdirSync(folder).sort()) {
        const path = join(folder, name);
        const place = relative(this.path(), path);
        // Git's own folder is looked at above, and the log is said to be there.
        if (place === '.git' || place === '.guardkit/logs') continue;
        const stat = lstatSync(path);
        if (stat.isDirectory()) walk(path);
        else if (stat.isSymbolicLink()) found[place] = `link to ${readlinkSync(path)}`;
        else found[place] = createHash('sha256').update(readFileSync(path)).digest('hex');
      }
    };
    walk(this.path());
    return found;
  }

  /** A person at work: something staged, something changed, something new, something stashed. */
  workInProgress(): void {
    this.write({ 'notes.md': 'stashed\n' });
    this.git('add', 'notes.md');
    this.git('stash', 'push', '--quiet');
    this.write({ 'src/add.js': 'export const add = (a, b) => a + b; // mine\n', 'staged.txt': 'staged\n' });
    this.git('add', 'staged.txt');
    this.write({ 'untracked.txt': 'mine\n' });
  }

  log(): string {
    const path = this.path('.guardkit', 'logs', 'autobuild.log');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }
}

/** Makes projects that are gone after the tests of the file. */
export function buildProjects(
  usual: Readonly<Record<string, string>> = LIGHT_FILES,
  prepare: (project: BuildProject) => void = () => {},
): (files?: Readonly<Record<string, string>>) => BuildProject {
  const made: BuildProject[] = [];
  afterAll(() => {
    for (const project of made) project.cleanup();
  });
  return (files = usual) => {
    const project = new BuildProject(files);
    made.push(project);
    prepare(project);
    return project;
  };
}
