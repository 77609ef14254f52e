import { readFileSync } from 'node:fs';
import { mayBeTerminal } from './may-be-terminal.ts';
import { INSIDE_AGENT, isInsideAgent } from './wrapper-profile.ts';

/** Coding agents; a terminal inside one does not belong to a person. */
const AGENT_PROGRAMS = [
  'claude',
  'codex',
  'gemini',
  'cursor-agent',
  'opencode',
  'aider',
  'goose',
  'amp',
  'copilot',
  'qwen',
  'cline',
];
const AGENT_VARIABLES = [
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CODEX_SANDBOX',
  'CODEX_THREAD_ID',
  'GEMINI_CLI',
  'OPENCODE',
  'QWEN_CODE',
  'COPILOT_AGENT_SESSION_ID',
  'CURSOR_AGENT',
];
const MAX_ANCESTORS = 64;

/** Interpreters: the script is the program. */
const INTERPRETERS = /^(?:node|bun|deno|python[\d.]*)$/;

export type PersonCheck = { present: true } | { present: false; why: string };

/** Whether a person can be asked here. */
export function findPerson(
  env: NodeJS.ProcessEnv = process.env,
  terminal: boolean = isTerminal(),
): PersonCheck {
  if (isInsideAgent(env)) return { present: false, why: INSIDE_AGENT };
  if (!terminal) return { present: false, why: 'there is no terminal' };
  const agent = findAgent(env);
  return agent === undefined ? { present: true } : { present: false, why: agent };
}

function isTerminal(): boolean {
  if (!mayBeTerminal(0) || !mayBeTerminal(2)) return false;
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Describes the coding agent above this process; undefined if there is none. */
export function findAgent(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (isInsideAgent(env)) return INSIDE_AGENT;
  // Set in commands that GuardKit runs for a candidate, which may open their own terminal.
  if (env.GUARDKIT_RUN !== undefined) return 'a command that GuardKit runs started this one';
  const variable = AGENT_VARIABLES.find((name) => env[name] !== undefined);
  if (variable) return `a coding agent started this command (${variable} is set)`;
  const agent = ancestorPrograms().find((program) => AGENT_PROGRAMS.includes(program));
  return agent && `the coding agent "${agent}" started this command`;
}

/** The coding agent's name; undefined for other processes. */
export function agentProgramOf(pid: number): string | undefined {
  return readProcess(pid)?.programs.find((program) => AGENT_PROGRAMS.includes(program));
}

/** Names of the parent programs, as far as the system shows them. */
function ancestorPrograms(): string[] {
  const programs: string[] = [];
  let pid = process.ppid;
  for (let count = 0; pid > 1 && count < MAX_ANCESTORS; count++) {
    const process = readProcess(pid);
    if (!process) break;
    programs.push(...process.programs);
    pid = process.parent;
  }
  return programs;
}

function readProcess(pid: number): { programs: string[]; parent: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may contain spaces and brackets; the last bracket ends it.
    const end = stat.lastIndexOf(')');
    const parent = Number(stat.slice(end + 2).split(' ')[1]);
    const name = stat.slice(stat.indexOf('(') + 1, end);
    const [program = '', script = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const programs = [name, baseName(program)];
    if (INTERPRETERS.test(baseName(program))) programs.push(baseName(script));
    return { programs, parent };
  } catch {
    // Safe: without /proc the terminal and the variables decide.
    return undefined;
  }
}

function baseName(path: string): string {
  return (path.split('/').pop() ?? '').replace(/\.[cm]?js$/, '');
}
