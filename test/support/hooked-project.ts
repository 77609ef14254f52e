import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { runHook } from '../../src/interfaces/hooks/run-hook.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { loadCli } from './load-cli.ts';
import { askResident, THROUGH_RESIDENT } from './resident-hooks.ts';
import { temporaryFolder } from './temporary-folder.ts';

const { runCli } = await loadCli();

/** What a hook answered. */
export interface Answer {
  exitCode: number;
  json: {
    decision?: string;
    reason?: string;
    systemMessage?: string;
    hookSpecificOutput?: {
      permissionDecision?: string;
      permissionDecisionReason?: string;
      additionalContext?: string;
      watchPaths?: string[];
    };
  };
  stderr: string;
}

export interface Acted {
  before: Answer;
  /** It was refused, and so nothing was done. */
  refused: boolean;
  after: Answer | undefined;
}

export interface AgentName {
  agent_id?: string;
  agent_type?: string;
}

export const LIST_PATH = '.claude/progress/feature-list.json';

/** A project with a feature list and a session of Claude Code in it: hooks are asked and what they allow is really done. */
export class HookedProject {
  readonly folder: string;
  readonly home: string;
  readonly dataFolder: string;
  /** Of its own, since what other tests leave running beside it is told apart by it. */
  session = `session-${randomUUID()}`;
  /** The agent whose hooks are asked. */
  readonly hooksOf: string = 'claude';
  #actions = 0;

  constructor(folder = temporaryFolder()) {
    this.folder = join(folder, 'project');
    this.home = join(folder, 'home');
    this.dataFolder = join(this.home, '.guardkit');
    mkdirSync(this.home, { recursive: true });
    mkdirSync(this.folder);
    this.write('.guardkit/config.yaml', 'project: shop-1\n');
    this.write('.gitignore', '.claude/progress/\n.claude/settings.local.json\n');
    this.write('src/cart.js', 'export const cart = [];\n');
    this.write('package.json', '{"name": "shop", "scripts": {"test": "node --test"}}\n');
    this.git('init', '-q', '-b', 'main');
    this.git('add', '-A');
    this.git('commit', '-q', '-m', 'begin');
    this.write(LIST_PATH, listText([{ id: 'FEAT-1' }, { id: 'FEAT-2' }]));
    // As `guardkit init` does before it wires hooks.
    openLedger({ path: join(this.dataFolder, 'ledger.db') }).close();
  }

  path(path: string): string {
    return join(this.folder, path);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.folder, encoding: 'utf8', env: this.personEnv() });
  }

  list(): { features: { id: string; tested: boolean; status: string; notes: string }[] } {
    return JSON.parse(this.read(LIST_PATH));
  }

  async begin(): Promise<Answer> {
    return this.hook({ hook_event_name: 'SessionStart', source: 'startup' });
  }

  /** Asks the hook about an event of the session. */
  async hook(payload: Record<string, unknown>): Promise<Answer> {
    return this.hookText(
      JSON.stringify({ session_id: this.session, cwd: this.folder, permission_mode: 'default', ...payload }),
    );
  }

  async hookText(text: string): Promise<Answer> {
    if (THROUGH_RESIDENT) {
      const { dataFolder, folder: cwd, hooksOf: agent } = this;
      const told = await askResident({ agent, dataFolder, env: this.agentEnv(), cwd, text });
      return { ...told, json: told.stdout === '' ? {} : JSON.parse(told.stdout) };
    }
    let stdout = '';
    let stderr = '';
    const exitCode = await runHook([this.hooksOf], {
      env: this.agentEnv(),
      cwd: this.folder,
      loadSession: () => import('../../src/interfaces/hooks/session-memory.ts'),
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

  /** One use of a tool from beginning to end. What the hook allows is really done. */
  async act(tool_name: string, tool_input: Record<string, unknown>, by: AgentName = {}): Promise<Acted> {
    this.#actions += 1;
    const call = { tool_name, tool_input, tool_use_id: `tool-${this.#actions}` };
    const before = await this.hook({ hook_event_name: 'PreToolUse', ...call, ...by });
    const refused = before.exitCode !== 0 || before.json.hookSpecificOutput?.permissionDecision !== undefined;
    if (!refused) this.#perform(tool_name, tool_input);
    const after = refused
      ? undefined
      : await this.hook({ hook_event_name: 'PostToolUse', ...call, ...by, tool_response: {} });
    await this.hook({ hook_event_name: 'PostToolBatch', tool_calls: [call], ...by });
    return { before, refused, after };
  }

  async bash(command: string, by: AgentName = {}): Promise<Acted> {
    return this.act('Bash', { command }, by);
  }

  /** Runs a command of GuardKit as an agent would, and gives what it printed. */
  async guardkit(...args: string[]): Promise<string> {
    let text = '';
    const sink = new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk);
        done();
      },
    });
    await runCli(args, {
      cwd: this.folder,
      env: this.agentEnv(),
      stdin: Readable.from([]),
      stdout: sink,
      stderr: new Writable({ write: (_chunk, _encoding, done) => done() }),
      findPerson: () => ({ present: false, why: 'an agent started this' }),
      findSandbox: async () => ({ available: false, why: 'not asked for', hint: '' }),
    });
    return text;
  }

  async stop(more: Record<string, unknown> = {}): Promise<Answer> {
    return this.hook({ hook_event_name: 'Stop', stop_hook_active: false, ...more });
  }

  #perform(tool: string, input: Record<string, unknown>): void {
    if (tool === 'Bash')
      spawnSync('/bin/bash', ['-c', String(input.command)], {
        cwd: this.folder,
        env: { ...this.agentEnv(), AI_AGENT: 'claude-code_agent' },
        stdio: 'ignore',
      });
    if (tool === 'Write') {
      mkdirSync(dirname(String(input.file_path)), { recursive: true });
      writeFileSync(String(input.file_path), String(input.content));
    }
    if (tool === 'Edit') {
      const text = readFileSync(String(input.file_path), 'utf8');
      writeFileSync(
        String(input.file_path),
        text.replace(String(input.old_string), () => String(input.new_string)),
      );
    }
  }

  agentEnv(): Record<string, string> {
    return {
      ...this.personEnv(),
      CLAUDECODE: '1',
      CLAUDE_CODE_ENTRYPOINT: 'sdk-cli',
      CLAUDE_CODE_SESSION_ID: this.session,
      CLAUDE_PID: String(process.pid),
      CLAUDE_PROJECT_DIR: this.folder,
    };
  }

  personEnv(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      HOME: this.home,
      GUARDKIT_HOME: this.dataFolder,
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
    };
  }
}

export function listText(features: readonly Record<string, unknown>[]): string {
  const whole = features.map((feature) => ({
    description: 'Something people want',
    priority: 1,
    status: 'pending',
    tested: false,
    acceptance_criteria: ['It works'],
    ...feature,
  }));
  return `${JSON.stringify({ version: 1, project: 'shop-1', features: whole }, null, 2)}\n`;
}
