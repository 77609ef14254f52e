import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Feature, featureSchema } from '../../src/domain/entities/feature.ts';
import type { Action, Actor, CommandAction, EditAction, ReadAction } from '../../src/guards/action.ts';
import { commandReaches } from '../../src/guards/affected-paths.ts';
import { BUILT_IN_GUARDS } from '../../src/guards/built-in/built-in-guards.ts';
import { analyseCommand } from '../../src/guards/command/analyse-command.ts';
import { evaluateGuards } from '../../src/guards/evaluate-guards.ts';
import type { Guard, GuardFacts, Verdict } from '../../src/guards/guard.ts';
import { type PathContext, pathContext } from '../../src/guards/path-context.ts';
import { realPath } from '../../src/guards/real-path.ts';

export const LIST = '.claude/progress/feature-list.json';

export const FEATURES: readonly Feature[] = ['F001', 'F002'].map((id) =>
  featureSchema.parse({ id, description: `Feature ${id}`, status: 'in_progress' }),
);

export function listText(change: (features: Record<string, unknown>[]) => void = () => {}): string {
  const features = FEATURES.map(({ id, description, status, tested }) => ({
    id,
    description,
    status,
    tested,
  }));
  change(features);
  return JSON.stringify({ version: 1, project: 'shop', features }, null, 2);
}

/** A checkout with all protected files, a home folder and a data folder. */
export class GuardedProject {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'guardkit-guards-')));
  readonly root = join(this.folder, 'home', 'shop');
  readonly home = join(this.folder, 'home');
  readonly dataFolder = join(this.folder, 'home', '.guardkit');

  constructor() {
    mkdirSync(this.root, { recursive: true });
    execFileSync('git', ['init', '--quiet', this.root]);
    this.write(LIST, listText());
    this.write('.claude/progress/session-state.json', '{}');
    this.write('.claude/progress/notes.md', 'notes');
    this.write('.claude/settings.json', '{}');
    this.write('.guardkit/config.yaml', 'project: shop\n');
    this.write('.guardkit/logs/run.log', 'line\n');
    this.write('.git/hooks/pre-commit', '');
    this.write('tasks/backlog/TASK-001-login.md', '# Login\n');
    this.write('src/index.ts', 'export const answer = 42;\n');
    this.write('test/index.test.ts', 'it("is 42", () => {});\n');
    this.write('package.json', '{"scripts": {"test": "vitest run"}}\n');
    this.write('../.guardkit/ledger.db', '');
    this.write('../.gitconfig', '');
    this.write('../.claude/settings.json', '{}');
  }

  write(path: string, text: string): string {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  paths(cwd = '.', globs: readonly string[] = []): PathContext {
    const { root, home, dataFolder } = this;
    return pathContext({ cwd: join(root, cwd), root, home, dataFolder, globs });
  }

  facts(changes: Partial<GuardFacts> = {}): GuardFacts {
    return {
      now: '2026-11-15T12:00:00.000Z',
      root: this.root,
      dataFolder: this.dataFolder,
      driven: false,
      canAsk: true,
      wrapped: false,
      waivers: [],
      features: () => FEATURES,
      evidence: () => 'absent',
      ...changes,
    };
  }

  command(command: string, actor: Partial<Actor> = {}, cwd = '.'): CommandAction {
    const context = this.paths(cwd);
    const analysis = analyseCommand(command, { cwd: context.cwd, home: context.home });
    return {
      ...common('Bash', actor),
      kind: 'command',
      command,
      cwd: context.cwd,
      analysis,
      reaches: commandReaches(analysis, context),
      background: analysis.background,
    };
  }

  edit(
    path: string,
    after: string | undefined,
    { before, ...actor }: Partial<Actor> & { before?: string } = {},
  ): EditAction {
    return {
      ...common('Write', actor),
      kind: 'edit',
      files: [{ file: realPath(path, this.paths()), effect: 'write', before, after }],
    };
  }

  read(path: string, whole = true): ReadAction {
    return { ...common('Read', {}), kind: 'read', files: [realPath(path, this.paths())], whole };
  }

  judge(
    action: Action,
    facts: Partial<GuardFacts> = {},
    guards: readonly Guard[] = BUILT_IN_GUARDS,
  ): Verdict {
    return evaluateGuards(action, guards, this.facts(facts));
  }

  cleanup(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function common(tool: string, { type, id }: Partial<Actor> = {}) {
  return { actor: { agent: 'claude', session: 's1', type, id }, tool, summary: tool };
}
