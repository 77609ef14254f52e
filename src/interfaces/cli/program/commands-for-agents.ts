import { GuardKitError } from '../../../guardkit-error.ts';
import type { PersonCheck } from '../../../platform/processes/person.ts';
import { shellWord } from '../../../platform/processes/shell-word.ts';
import { INSIDE_AGENT, INSIDE_AGENT_VARIABLE } from '../../../platform/processes/wrapper-profile.ts';
import { PERSON_INSIDE_AGENT, personNeeded } from '../verification/person-name.ts';

/** Needs no data folder. It writes files named by its arguments, so it never runs outside the wrapper. */
const INSIDE = ['knowledge merge', 'knowledge render'];

/** Has a connection of its own to the broker. */
const RELAYED = ['mcp'];

/** Runs outside the wrapper for an agent. Actions that need a person check for one themselves. */
const OUTSIDE = [
  'accept',
  'ci',
  'config check',
  'config explain',
  'doctor',
  'evidence',
  'explain',
  'feature add',
  'feature complete',
  'feature create',
  'feature discard',
  'feature edit',
  'feature import',
  'feature list',
  'feature next',
  'feature show',
  'feature unblock',
  'feature validate',
  'feature-build',
  'memory add',
  'memory clear',
  'memory embed',
  'memory export',
  'memory groups',
  'memory history',
  'memory import',
  'memory list',
  'memory prune',
  'memory search',
  'memory seed',
  'memory show',
  'memory status',
  'guard allow',
  'guard backtest',
  'guard list',
  'guard promote',
  'guard propose',
  'guard retire',
  'guard revoke',
  'guard share',
  'guard show',
  'guard test',
  'guard waivers',
  'knowledge fix',
  'knowledge pack',
  'knowledge path',
  'knowledge query',
  'knowledge show',
  'knowledge update',
  'knowledge validate',
  'ledger adopt',
  'ledger verify',
  'log',
  'metrics',
  'pause',
  'queue list',
  'queue workers',
  'restore',
  'resume',
  'run',
  'session abandon',
  'session pause',
  'session resume',
  'session start',
  'session status',
  'status',
  'task create',
  'task list',
  'task reset',
  'task show',
  'task-work',
  'trace add',
  'trace list',
  'trace query',
  'trace show',
  'turns',
  'verify',
];

/** Changes how agents are held, shows what they did, or signs. Needs no person, so that it works in CI. */
const OTHER_TERMINAL = [
  'attest',
  'init',
  'queue add',
  'queue cancel',
  'queue init',
  'serve',
  'ui',
  'uninstall',
  'worker',
];

export type AgentsUse = 'inside' | 'relayed' | 'outside' | 'other-terminal';

/** How a command runs for an agent whose commands are wrapped. An unlisted command needs another terminal. */
export function agentsUse(line: string): AgentsUse {
  if (INSIDE.includes(line)) return 'inside';
  if (RELAYED.includes(line)) return 'relayed';
  return OUTSIDE.includes(line) ? 'outside' : 'other-terminal';
}

/** Every listed command. */
export const DECIDED_COMMANDS: readonly string[] = [...INSIDE, ...RELAYED, ...OUTSIDE, ...OTHER_TERMINAL];

/** Refuses commands, and options of commands, that an agent may not have run outside its wrapper. */
export function refuseOutside(
  line: string,
  person: PersonCheck,
  env: NodeJS.ProcessEnv,
  input: Record<string, unknown>,
): void {
  if (person.present || person.why !== INSIDE_AGENT) return;
  const use = agentsUse(line);
  const inBroker = env[INSIDE_AGENT_VARIABLE] !== undefined;
  if (use === 'other-terminal' || (use === 'inside' && inBroker))
    throw personNeeded(`run \`guardkit ${line}\``, person.why);
  // Outside the wrapper, these options could name a file that the wrapper protects.
  const [name, file] = input.out === undefined ? ['--reports', input.reports] : ['--out', input.out];
  if (use === 'outside' && file !== undefined)
    throw new GuardKitError({
      code: 'agent.output-file',
      kind: 'input',
      message: `${name} ${String(file)}: when an agent runs \`guardkit ${line}\`, it writes only to standard output.`,
      hint: `Omit ${name} and redirect the output to the file.`,
    });
}

/** The same error with the command to run in the other terminal. */
export function withOtherTerminal(error: unknown, args: readonly string[]): unknown {
  if (!(error instanceof GuardKitError) || error.code !== PERSON_INSIDE_AGENT) return error;
  const { code, kind, message } = error;
  const words = args.map(shellWord);
  const hint = `Open another terminal and run \`${['guardkit', ...words].join(' ')}\` there.`;
  return new GuardKitError({ code, kind, message, hint, cause: error });
}
