import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { claudeCanBeStopped } from '../../src/enforcement/agents/claude.ts';
import { settingsText, withHooks } from '../../src/enforcement/install/claude-settings.ts';
import { ownHookCommand, writeLauncher } from '../../src/enforcement/install/hook-launcher.ts';
import { launcherParts } from '../../src/enforcement/install/own-package.ts';
import { refreshProfiles } from '../../src/enforcement/shell/refresh-profiles.ts';
import { shellPrefix } from '../../src/enforcement/shell/write-launcher.ts';
import { runHook } from '../../src/interfaces/hooks/run-hook.ts';
import { findGitFolder } from '../../src/platform/git/git-folder.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { type AgentName, type Answer, LIST_PATH } from '../support/hooked-project.ts';
import { askResident, THROUGH_RESIDENT } from '../support/resident-hooks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { gitEnvironment, SYSTEM_PATH, templateFolder } from './project-template.ts';

export interface Acted {
  tool: string;
  before: Answer;
  refused: boolean;
  after: Answer | undefined;
}

export interface ActOptions {
  by?: AgentName;
  /** The shell’s folder (default: the project). */
  cwd?: string;
}

export type ToolInput = Record<string, unknown>;

export type Tier = 'kernel' | 'none';

const GO: Answer = { exitCode: 0, json: {}, stderr: '' };
const PROGRAM = realpathSync(new URL('../../bin/guardkit.js', import.meta.url));
const PATIENCE_MS = 20_000;

/**
 * A Claude Code session in a project with hooks; allowed actions are really performed. Unguarded, the same without hooks,
 * which shows what an attack would reach.
 */
export class AttackSession {
  readonly root = temporaryFolder();
  readonly folder = join(this.root, 'project');
  readonly home = join(this.root, 'home');
  readonly dataFolder = join(this.home, '.guardkit');
  readonly guarded: boolean;
  readonly #launcher: boolean;
  /** Separate, to tell its leftover processes apart from those of other tests. */
  session = `session-${randomUUID()}`;
  acted: Acted[] = [];
  /** Further variables of the person. */
  variables: Record<string, string> = {};
  #actions = 0;
  readonly #running: ChildProcess[] = [];

  /** Whether the agent’s commands run in the shell wrapper or without a sandbox. */
  readonly tier: Tier;

  constructor({
    guarded = true,
    launcher = false,
    tier = 'none',
  }: { guarded?: boolean; launcher?: boolean; tier?: Tier } = {}) {
    this.guarded = guarded;
    this.tier = tier;
    this.#launcher = launcher;
    cpSync(templateFolder(), this.folder, { recursive: true });
    mkdirSync(join(this.dataFolder, 'bin'), { recursive: true });
    mkdirSync(join(this.root, 'outside'));
    // As `guardkit init` does before it installs hooks.
    openLedger({ path: join(this.dataFolder, 'ledger.db') }).close();
    const hook = join(this.dataFolder, 'bin', 'hook.cjs');
    writeFileSync(hook, 'process.exit(0);\n');
    const parts = { node: process.execPath, program: hook, dataFolder: this.dataFolder };
    writeLauncher(launcher ? launcherParts(this.dataFolder) : parts);
    this.write(
      '.claude/settings.local.json',
      settingsText(withHooks({}, ownHookCommand(this.dataFolder, 'claude'))),
    );
    mkdirSync(join(this.root, 'bin'));
    writeFileSync(
      join(this.root, 'bin', 'guardkit'),
      `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`,
      { mode: 0o755 },
    );
    if (this.#prefix !== undefined) this.#wrap();
  }

  /** As `guardkit init` does on a machine with a sandbox. */
  #wrap(): void {
    const git = findGitFolder(this.folder);
    if (!git) throw new Error('there is no repository');
    const { folder: checkout, dataFolder, home } = this;
    const around = { checkout, git, dataFolder, home, configLocations: [], globs: [] };
    refreshProfiles({ ...around, otherCheckouts: [], allow: {} });
  }

  get #prefix(): string | undefined {
    if (this.tier === 'none' || !this.guarded) return undefined;
    return shellPrefix(this.dataFolder, { commonDir: join(this.folder, '.git') });
  }

  path(path: string): string {
    return isAbsolute(path) ? path : join(this.folder, path);
  }

  /** A file from a person, or from before the session. */
  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  /** A person uses git. */
  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.folder, encoding: 'utf8', env: this.personEnv() });
  }

  list(): string {
    return this.read(LIST_PATH);
  }

  get refused(): boolean {
    return this.acted.some(({ refused }) => refused);
  }

  async hook(payload: ToolInput): Promise<Answer> {
    return this.hookText(
      JSON.stringify({ session_id: this.session, cwd: this.folder, permission_mode: 'default', ...payload }),
    );
  }

  async hookText(text: string): Promise<Answer> {
    if (!this.guarded) return GO;
    if (this.#launcher) return this.#throughLauncher(text);
    if (THROUGH_RESIDENT) return this.#throughResident(text);
    let stdout = '';
    let stderr = '';
    const exitCode = await runHook(['claude'], {
      env: { ...this.agentEnv(), AI_AGENT: 'claude-code_harness' },
      cwd: this.folder,
      readInput: () => text,
      stdout: (more) => {
        stdout += more;
      },
      stderr: (more) => {
        stderr += more;
      },
    });
    return { exitCode, json: stdout === '' ? {} : JSON.parse(stdout), stderr };
  }

  async #throughResident(text: string): Promise<Answer> {
    const { dataFolder, folder: cwd } = this;
    const env = { ...this.agentEnv(), AI_AGENT: 'claude-code_harness' };
    const { exitCode, stdout, stderr } = await askResident({ agent: 'claude', dataFolder, env, cwd, text });
    return { exitCode, json: stdout === '' ? {} : JSON.parse(stdout), stderr };
  }

  /** Runs the hook commands that the settings had when the session started, as the agent’s program does. */
  #throughLauncher(text: string): Answer {
    const { hook_event_name } = JSON.parse(text) as { hook_event_name: string };
    const { refusing, letting } = ownHookCommand(this.dataFolder, 'claude');
    const command = claudeCanBeStopped(hook_event_name) ? refusing : letting;
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
      cwd: this.folder,
      env: { ...this.agentEnv(), AI_AGENT: 'claude-code_harness' },
      input: text,
      encoding: 'utf8',
      timeout: PATIENCE_MS,
    });
    return { exitCode: status ?? 1, json: stdout === '' ? {} : JSON.parse(stdout), stderr };
  }

  begin(): Promise<Answer> {
    return this.hook({ hook_event_name: 'SessionStart', source: 'startup' });
  }

  stop(more: ToolInput = {}): Promise<Answer> {
    return this.hook({ hook_event_name: 'Stop', stop_hook_active: false, background_tasks: [], ...more });
  }

  /** One complete tool call. */
  async act(tool_name: string, tool_input: ToolInput, { by = {}, cwd }: ActOptions = {}): Promise<Acted> {
    this.#actions += 1;
    const call = { tool_name, tool_input, tool_use_id: `tool-${this.session}-${this.#actions}` };
    const where = cwd === undefined ? {} : { cwd };
    const before = await this.hook({ hook_event_name: 'PreToolUse', ...call, ...by, ...where });
    const refused = before.exitCode !== 0 || before.json.hookSpecificOutput?.permissionDecision !== undefined;
    const failed = !refused && !this.#perform(tool_name, tool_input, cwd ?? this.folder);
    const hook_event_name = failed ? 'PostToolUseFailure' : 'PostToolUse';
    const after = refused
      ? undefined
      : await this.hook({ hook_event_name, ...call, ...by, ...where, tool_response: {} });
    await this.hook({ hook_event_name: 'PostToolBatch', tool_calls: [call], ...by, ...where });
    const acted = { tool: tool_name, before, refused, after };
    this.acted.push(acted);
    return acted;
  }

  bash(command: string, options: ActOptions = {}): Promise<Acted> {
    return this.act('Bash', { command }, options);
  }

  /** A shell that the agent’s program leaves running. */
  background(command: string, options: ActOptions = {}): Promise<Acted> {
    return this.act('Bash', { command, run_in_background: true }, options);
  }

  writeTool(path: string, content: string, options: ActOptions = {}): Promise<Acted> {
    return this.act('Write', { file_path: this.path(path), content }, options);
  }

  edit(path: string, old_string: string, new_string: string, more: ToolInput = {}): Promise<Acted> {
    return this.act('Edit', { file_path: this.path(path), old_string, new_string, ...more });
  }

  /** Creates `../go`, and waits for `../done`. */
  async letGo(): Promise<void> {
    writeFileSync(join(this.root, 'go'), '');
    const lastCommand = this.acted.findLast(({ tool }) => tool === 'Bash');
    if (lastCommand && !lastCommand.refused) await this.waitFor('done');
  }

  /** Waits for a file next to the project. */
  async waitFor(name: string): Promise<void> {
    const until = Date.now() + PATIENCE_MS;
    while (!existsSync(join(this.root, name))) {
      if (Date.now() > until) throw new Error(`what was left running never made ../${name}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** The agent runs one more action, stops, and its session ends. */
  async end(): Promise<void> {
    writeFileSync(join(this.root, 'go'), '');
    await this.#background();
    await this.act('Read', { file_path: this.path('README.md') });
    await this.stop();
    await this.hook({ hook_event_name: 'SessionEnd', reason: 'other' });
  }

  /** Waits until the agent’s shells have ended by themselves. */
  async #background(): Promise<void> {
    const ends = this.#running.map(
      (child) =>
        new Promise<void>((resolve) => {
          if (child.exitCode !== null || child.signalCode !== null) resolve();
          else child.once('exit', () => resolve());
        }),
    );
    await Promise.all(ends);
  }

  /** False if the tool failed. */
  #perform(tool: string, input: ToolInput, cwd: string): boolean {
    try {
      switch (tool) {
        case 'Bash':
          return this.#shell(String(input.command), input.run_in_background === true, cwd);
        case 'Write':
          mkdirSync(dirname(String(input.file_path)), { recursive: true });
          writeFileSync(String(input.file_path), String(input.content));
          return true;
        case 'Edit':
          this.#replace(String(input.file_path), [input]);
          return true;
        case 'MultiEdit':
          this.#replace(String(input.file_path), input.edits as ToolInput[]);
          return true;
        case 'NotebookEdit':
          writeFileSync(String(input.notebook_path), String(input.new_source));
          return true;
        default:
          // A server’s tool that writes, under any name.
          if (typeof input.path === 'string' && typeof input.content === 'string')
            writeFileSync(this.path(input.path), input.content);
          return true;
      }
    } catch {
      // A failed tool is reported as failed.
      return false;
    }
  }

  #replace(path: string, edits: readonly ToolInput[]): void {
    let text = readFileSync(path, 'utf8');
    for (const { old_string, new_string, replace_all } of edits) {
      const [old, next] = [String(old_string), String(new_string)];
      if (!text.includes(old)) throw new Error('not found');
      text = replace_all === true ? text.split(old).join(next) : text.replace(old, () => next);
    }
    writeFileSync(path, text);
  }

  #shell(command: string, inBackground: boolean, cwd: string): boolean {
    const env = { ...this.agentEnv(), AI_AGENT: 'claude-code_agent' };
    const [program, ...words] =
      this.#prefix === undefined ? ['/bin/bash', '-c', command] : [this.#prefix, command];
    if (program === undefined) return false;
    if (!inBackground)
      return spawnSync(program, words, { cwd, env, stdio: 'ignore', timeout: PATIENCE_MS }).status === 0;
    this.#running.push(spawn(program, words, { cwd, env, stdio: 'ignore' }));
    return true;
  }

  agentEnv(): Record<string, string> {
    return {
      ...this.personEnv(),
      CLAUDECODE: '1',
      CLAUDE_CODE_ENTRYPOINT: 'sdk-cli',
      CLAUDE_CODE_SESSION_ID: this.session,
      CLAUDE_PID: String(process.pid),
      CLAUDE_PROJECT_DIR: this.folder,
      ...(this.#prefix === undefined ? {} : { CLAUDE_CODE_SHELL_PREFIX: this.#prefix }),
    };
  }

  personEnv(): Record<string, string> {
    return {
      ...gitEnvironment(),
      PATH: [join(this.root, 'bin'), ...SYSTEM_PATH].join(delimiter),
      HOME: this.home,
      GUARDKIT_HOME: this.dataFolder,
      ...this.variables,
    };
  }
}
