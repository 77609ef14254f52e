import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { claudeProgram } from '../orchestration/drivers/driver-benches.ts';
import { PROGRAM } from './cli.ts';
import { PersonTerminal, until } from './person-terminal.ts';
import { type Tier, withoutBubblewrap } from './protection-tiers.ts';
import {
  type ClaudeOptions,
  type HookAnswers,
  Points,
  ScriptedClaude,
  type Step,
  startScript,
  toldBy,
} from './scripted-claude.ts';
import { removeFolder } from './temporary-folder.ts';

const END_MS = 5000;

/** Why these tests cannot run on this machine; undefined if they can. */
export function whyNoPersonBesideAgent(): string | undefined {
  if (process.platform !== 'linux') return 'these tests need Linux';
  if (!claudeProgram()) return 'the Claude Agent SDK has no program for this system here';
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'tmux is not installed';
  }
}

export const TASK = 'tasks/backlog/TASK-001-cart.md';
export const REVIEWER = '.claude/agents/reviewer.md';
export const SKILL = '.claude/skills/notes/SKILL.md';
export const SETTINGS = '.claude/settings.json';
export const CONFIG = '.guardkit/config.yaml';

export function taskText(id: string, ...criteria: string[]): string {
  const bullets = criteria.map((text, index) => `- AC-00${index + 1}: ${text}\n`).join('');
  return `---\nid: ${id}\ntitle: Cart\ntask_type: feature\ncomplexity: 2\n---\n# ${id}: Cart\n\n## Acceptance Criteria\n${bullets}`;
}

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{"name":"shop","private":true,"type":"module","scripts":{"test":"node --test test/"}}\n',
  'src/cart.js': 'export const cart = [];\n',
  'test/cart.test.js':
    "import test from 'node:test';\nimport { cart } from '../src/cart.js';\n\ntest('AC-001 the cart is empty', (t) => t.assert ? t.assert.equal(cart.length, 0) : undefined);\n",
  [TASK]: taskText('TASK-001', 'the cart is empty'),
  [REVIEWER]: '---\nname: reviewer\ndescription: reviews\n---\nYou review.\n',
  [SKILL]: '---\nname: notes\ndescription: takes notes\n---\nTake notes.\n',
  [SETTINGS]: '{\n  "permissions": {\n    "allow": []\n  }\n}\n',
};

export interface InteractiveAgent {
  terminal: PersonTerminal;
  answers(): HookAnswers;
}

export interface FileState {
  text: string;
  /** Of the permissions only. */
  mode: number;
}

/** A person at a terminal and the real Claude Code in the same repository, on a machine of their own. */
export class PersonBesideAgent {
  readonly tier: Tier;
  readonly root: string;
  readonly folder: string;
  readonly home: string;
  readonly person: PersonTerminal;
  readonly #cleanups: (() => void)[] = [];
  readonly #env: Record<string, string>;
  readonly #prefix: readonly string[];
  #points = 0;
  #terminals = 0;

  /** Sets up a repository with GuardKit the way a person does: in a terminal that is open before any agent. */
  static async start(tier: Tier, env: Record<string, string> = {}): Promise<PersonBesideAgent> {
    const world = new PersonBesideAgent(tier, env);
    await world.person.do('git init -q -b main && git add -A && git commit -q -m Begin');
    await world.person.do('guardkit init --yes --no-try --agent claude');
    await world.person.do('git add -A && git commit -q -m "Set up GuardKit"');
    return world;
  }

  private constructor(tier: Tier, env: Record<string, string>) {
    this.tier = tier;
    this.root = mkdtempSync(join(realpathSync(tmpdir()), 'guardkit-person-'));
    // Again where a program that outlives its session still writes.
    this.#cleanups.push(() => removeFolder(this.root));
    this.folder = join(this.root, 'shop');
    this.home = join(this.root, 'home');
    for (const folder of ['shop', 'home', 'bin', 'staged', 'out']) mkdirSync(join(this.root, folder));
    symlinkSync(PROGRAM, join(this.root, 'bin', 'guardkit'));
    writeFileSync(join(this.home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.org\n');
    writeFileSync(join(this.home, '.bashrc'), '# Ada\n');
    for (const [path, text] of Object.entries(FILES)) this.#place(path, text);
    this.#place('.husky/pre-commit', '#!/bin/sh\nexit 0\n', 0o755);
    this.#env = {
      PATH: [join(this.root, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
      HOME: this.home,
      LANG: 'C.UTF-8',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_PAGER: 'cat',
      GIT_EDITOR: 'true',
      ...env,
    };
    this.#prefix = tier === 'kernel' ? [] : withoutBubblewrap(join(this.root, 'no-bwrap'));
    this.person = this.openTerminal();
  }

  /** Opens one more terminal, with a tmux of its own. */
  openTerminal(): PersonTerminal {
    this.#terminals += 1;
    const socket = join(this.root, `person-${this.#terminals}`);
    const terminal = new PersonTerminal({ socket, cwd: this.folder, env: this.#env, prefix: this.#prefix });
    this.#cleanups.unshift(() => terminal.close());
    return terminal;
  }

  /** Closes the terminals, ends what still runs for this home folder, and removes all files. */
  async end(): Promise<void> {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      for (const pid of this.#processes()) endProcess(pid, signal);
      await until(
        () => this.#processes().length === 0,
        () => 'processes of the test still run',
        END_MS,
      ).catch(() => {});
    }
    for (const clean of this.#cleanups) clean();
  }

  /** Points for one session; each session has its own. */
  points(): Points {
    this.#points += 1;
    return new Points(join(this.root, `points-${this.#points}`));
  }

  /** Starts a session of Claude Code that follows the steps. */
  async agent(steps: readonly Step[], points = this.points()): Promise<ScriptedClaude> {
    return ScriptedClaude.start(steps, this.claudeOptions(points));
  }

  /** Starts the interactive program in a terminal of its own, in the mode that asks before it runs something. */
  async interactiveAgent(steps: readonly Step[]): Promise<InteractiveAgent> {
    const server = await startScript(steps, (end) => void this.#cleanups.unshift(end));
    const { PATH: _path, HOME: _home, ...env } = server.env(this.home);
    const project = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
    const state = {
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: [env.ANTHROPIC_API_KEY?.slice(-20)], rejected: [] },
      projects: { [this.folder]: project },
    };
    writeFileSync(join(this.home, '.claude.json'), JSON.stringify(state));
    const variables = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
    const terminal = this.openTerminal();
    await terminal.begin(`${variables.join(' ')} '${claudeProgram()}' --permission-mode default 'Go on'`);
    return { terminal, answers: () => ({ agent: toldBy(server), person: terminal.screen() }) };
  }

  claudeOptions(points: Points): ClaudeOptions {
    const finished = (end: () => void) => void this.#cleanups.unshift(end);
    return { cwd: this.folder, home: this.home, env: this.#env, points, prefix: this.#prefix, finished };
  }

  path(path: string): string {
    return path.startsWith('~/') ? join(this.home, path.slice(2)) : join(this.folder, path);
  }

  /** The person saves a file: the editor writes over it, or replaces it by a new one. */
  async save(
    path: string,
    text: string,
    {
      terminal = this.person,
      replace = false,
      mode,
    }: { terminal?: PersonTerminal; replace?: boolean; mode?: number } = {},
  ): Promise<FileState> {
    const staged = join(this.root, 'staged', 'text');
    writeFileSync(staged, text);
    const target = this.path(path);
    const save = replace
      ? `cp '${staged}' '${target}~' && mv '${target}~' '${target}'`
      : `cat '${staged}' > '${target}'`;
    await terminal.do(`mkdir -p '${dirname(target)}' && ${save}`);
    if (mode !== undefined) await terminal.do(`chmod ${mode.toString(8)} '${target}'`);
    return this.state(path) as FileState;
  }

  /** A file's content and permissions; undefined if it is not there. */
  state(path: string): FileState | undefined {
    const absolute = this.path(path);
    if (!existsSync(absolute)) return undefined;
    return { text: readFileSync(absolute, 'utf8'), mode: statSync(absolute).mode & 0o777 };
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.folder, env: this.#env, encoding: 'utf8' }).trim();
  }

  /** The JSON that a command prints in the person's terminal. */
  async json<T>(command: string, terminal = this.person): Promise<T> {
    const out = join(this.root, 'out', 'json');
    await terminal.run(`${command} --json > '${out}'`);
    const text = readFileSync(out, 'utf8');
    try {
      return JSON.parse(text) as T;
    } catch {
      throw new Error(`${command} printed no JSON: ${text}\n${terminal.screen()}`);
    }
  }

  /** Entries of a kind in the ledger, with the whole chain verified. */
  entries(kind: string): Record<string, unknown>[] {
    const ledger = openLedger({ path: join(this.home, '.guardkit', 'ledger.db') });
    try {
      const [project = ''] = ledger.projects();
      if (!ledger.verify(project).ok) throw new Error('the ledger’s chain is broken');
      return ledger.entries(project, { kind }).map(({ body }) => body as Record<string, unknown>);
    } finally {
      ledger.close();
    }
  }

  /** What still runs in this home folder: GuardKit's broker and background commands may outlive a session. */
  #processes(): number[] {
    const own = [`HOME=${this.home}`, `GUARDKIT_HOME=${join(this.home, '.guardkit')}`];
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          const env = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
          return own.some((entry) => env.includes(entry));
        } catch {
          // Safe: it ended meanwhile, or belongs to somebody else.
          return false;
        }
      })
      .map(Number);
  }

  #place(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
    chmodSync(this.path(path), mode);
  }
}

function endProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Safe: it ended meanwhile.
  }
}
