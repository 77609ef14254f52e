import { execFileSync, fork, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const GUARDKIT = fileURLToPath(new URL('../../bin/guardkit', import.meta.url));
const AGENT = fileURLToPath(new URL('agent-process.js', import.meta.url));
const WAIT_MS = 60_000;

/** A repository with four branches, set up with GuardKit, and a copy of it without. */
export function prepareWorlds(root) {
  const guarded = folderOf(join(root, 'guarded'));
  mkdirSync(guarded.project, { recursive: true });
  mkdirSync(guarded.home, { recursive: true });
  writeFileSync(join(guarded.home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.org\n');
  writeFileSync(join(guarded.home, '.bashrc'), '# Ada\n');
  const run = (command) =>
    execFileSync('/bin/bash', ['-ec', command], { cwd: guarded.project, env: guarded.env, stdio: 'pipe' });
  run(`mkdir -p src tasks/backlog .claude/agents
    for f in a b c agent more; do echo '// begin' > src/$f.js; done
    for t in 1 2 3 4; do printf -- '---\\nid: TASK-00%s\\ntitle: Task\\ntask_type: feature\\ncomplexity: 2\\n---\\n# Task\\n\\n## Acceptance Criteria\\n- AC-001: works\\n' $t > tasks/backlog/TASK-00$t-x.md; done
    printf -- '---\\nname: reviewer\\ndescription: reviews\\n---\\nReview.\\n' > .claude/agents/reviewer.md
    echo '{}' > .claude/settings.json
    git init -q -b main; git add -A; git commit -q -m Begin
    printf '.claude/settings.local.json\\n.claude/progress/\\n' >> .git/info/exclude`);
  run(`'${process.execPath}' '${GUARDKIT}' init --yes --agent claude`);
  run('git add -A; git commit -q -m "Set up GuardKit"; for b in dev search checkout; do git branch $b; done');
  const control = folderOf(join(root, 'control'));
  cpSync(dirname(guarded.project), dirname(control.project), {
    recursive: true,
    filter: (path) => path !== join(guarded.home, '.guardkit'),
  });
  rmSync(join(control.project, '.claude', 'settings.local.json'));
  return { guarded, control };
}

function folderOf(folder) {
  const home = join(folder, 'home');
  const env = {
    PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
    HOME: home,
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_EDITOR: 'true',
    ...datesOf(0),
  };
  return { project: join(folder, 'shop'), home, env };
}

/** The same times in both worlds, so that equal commits have equal hashes. */
function datesOf(number) {
  const date = `${1_780_000_000 + number * 60} +0000`;
  return { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
}

/** Ends the processes in a home folder, such as GuardKit's broker for wrapped commands. */
function endProcessesOf(home) {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const env = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      if (env.includes(`HOME=${home}`) || env.includes(`GUARDKIT_HOME=${home}/.guardkit`))
        process.kill(Number(pid));
    } catch {
      // Safe: it has ended, or belongs to another user.
    }
}

/** A day in one repository. The agent's commands wait at certain points until they may end. */
class World {
  constructor(place, points) {
    this.place = place;
    this.points = points;
    mkdirSync(points, { recursive: true });
  }

  async begin() {
    await this.startServer(0);
  }

  async end() {
    rmSync(this.points, { recursive: true, force: true });
  }

  /** Performs an event. Returns GuardKit's reason if it was refused. */
  async perform({ number, actor, type, kind, command }, refused = false) {
    const env = { ...this.place.env, ...datesOf(number) };
    if (actor === 'person') {
      spawnSync('/bin/bash', ['-c', command], { cwd: this.place.project, env, stdio: 'ignore' });
      return undefined;
    }
    if (type === 'end') return this.endCommand(number);
    if (type === 'server') return this.startServer(number);
    if (type === 'attempt') return this.attempt(command, env);
    if (type === 'write') return refused ? undefined : this.write(command);
    // The command does its work, reports, and waits until it may end.
    const text = refused ? 'true' : command;
    this.open = `${number}-${kind}`;
    return this.beginCommand(`{ ${text}; } 2> /dev/null; ${this.waitText(this.open)}`, env);
  }

  waitText(name) {
    const [at, go] = [join(this.points, `${name}.at`), join(this.points, `${name}.go`)];
    return `: > ${at}; while [ -d ${this.points} ] && [ ! -e ${go} ]; do sleep 0.02; done`;
  }

  release(name) {
    writeFileSync(join(this.points, `${name}.go`), '');
  }

  async reached(name) {
    const file = join(this.points, `${name}.at`);
    const deadline = Date.now() + WAIT_MS;
    while (!existsSync(file)) {
      if (Date.now() > deadline) throw new Error(`The agent's command did not start (${name}).`);
      await pause(5);
    }
  }
}

/** The same day without GuardKit; forbidden attempts are left out. */
export class ControlWorld extends World {
  async startServer() {}
  async attempt() {}

  async write(text) {
    writeFileSync(join(this.place.project, 'src', 'written.js'), text);
  }

  async beginCommand(text, env) {
    const agent = { cwd: this.place.project, env, stdio: 'ignore', detached: true };
    this.command = new Promise((resolve) => spawn('/bin/bash', ['-c', text], agent).once('close', resolve));
    await this.reached(this.open);
  }

  async endCommand() {
    if (this.open === undefined) return;
    this.release(this.open);
    this.open = undefined;
    await this.command;
  }
}

/** The day with GuardKit: a stand-in for the agent program calls the real hooks and starts the real shell. */
export class GuardedWorld extends World {
  #calls = 0;
  #server;

  constructor(place, points) {
    super(place, points);
    const settings = JSON.parse(readFileSync(join(place.project, '.claude', 'settings.local.json'), 'utf8'));
    this.prefix = settings.env?.CLAUDE_CODE_SHELL_PREFIX;
    this.tier = this.prefix === undefined ? 'none' : 'kernel';
  }

  async begin() {
    const { project, env } = this.place;
    this.agent = fork(AGENT, [], { cwd: project, env, stdio: 'inherit', execArgv: [] });
    this.waiting = new Map();
    this.agent.on('message', ({ id, result }) => {
      this.waiting.get(id)?.(result);
      this.waiting.delete(id);
    });
    await this.#ask({ type: 'settings', prefix: this.prefix, project });
    await this.#hook({ hook_event_name: 'SessionStart', source: 'startup' });
    await super.begin();
  }

  async end() {
    await super.end();
    await this.#hook({ hook_event_name: 'SessionEnd', reason: 'other' });
    this.agent.disconnect();
    endProcessesOf(this.place.home);
  }

  /** The dev server in the background; no action is open while it runs. */
  async startServer(number) {
    if (this.#server) this.release(this.#server);
    this.#server = `server-${number}`;
    const command = this.waitText(this.#server);
    const call = this.#call('Bash', { command, run_in_background: true });
    const refused = await this.#before(call);
    if (refused) return refused;
    void this.#ask({ type: 'run', command, env: {} });
    await this.reached(this.#server);
    await this.#after(call);
    return undefined;
  }

  async attempt(command, env) {
    const call = this.#call('Bash', { command });
    // Refused, prevented or restored.
    if (await this.#before(call)) return;
    await this.#ask({ type: 'run', command, env });
    await this.#after(call);
  }

  async write(content) {
    const call = this.#call('Write', { file_path: join(this.place.project, 'src', 'written.js'), content });
    const refused = await this.#before(call);
    if (refused) return refused;
    await this.#ask({ type: 'write', path: call.tool_input.file_path, content });
    await this.#after(call);
    return undefined;
  }

  async beginCommand(command, env) {
    const { open } = this;
    const call = this.#call('Bash', { command });
    const refused = await this.#before(call);
    if (refused) {
      this.open = undefined;
      return refused;
    }
    this.command = { call, ended: this.#ask({ type: 'run', command, env }) };
    await this.reached(open);
    return undefined;
  }

  async endCommand() {
    if (this.open === undefined) return;
    this.release(this.open);
    this.open = undefined;
    await this.command.ended;
    await this.#after(this.command.call);
  }

  #call(tool_name, tool_input) {
    this.#calls += 1;
    return { tool_name, tool_input, tool_use_id: `toolu_${this.#calls}` };
  }

  async #before(call) {
    const { code, stdout, stderr } = await this.#hook({ hook_event_name: 'PreToolUse', ...call });
    if (code !== 0) return stderr.trim().split('\n')[0];
    const decision = stdout === '' ? undefined : JSON.parse(stdout).hookSpecificOutput;
    return decision?.permissionDecision === 'deny' || decision?.permissionDecision === 'ask'
      ? decision.permissionDecisionReason.split('\n')[0]
      : undefined;
  }

  async #after(call) {
    await this.#hook({ hook_event_name: 'PostToolUse', ...call, tool_response: {} });
    await this.#hook({ hook_event_name: 'PostToolBatch', tool_calls: [call] });
  }

  #hook(payload) {
    return this.#ask({ type: 'hook', payload });
  }

  #ask(message) {
    this.#calls += 1;
    const id = this.#calls;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.agent.send({ id, ...message });
    });
  }
}
