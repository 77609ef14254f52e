/** Needs nothing of the data folder. It writes files that its arguments name, so it never runs outside. */
const INSIDE = ['knowledge merge', 'knowledge render'];

/** Has a connection of its own to the broker. */
const RELAYED = ['mcp'];

/** Runs outside the wrapper, for an agent. Where it does more for a person, it checks for one itself. */
const OUTSIDE = [
  'accept',
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
  'log',
  'metrics',
  'pause',
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

/** Changes how agents are held, also without a person today, as in CI. */
const OTHER_TERMINAL = ['init', 'uninstall'];

export type AgentsUse = 'inside' | 'relayed' | 'outside' | 'other-terminal';

/** How a command runs for an agent whose commands are wrapped. A command that no list has needs another terminal. */
export function agentsUse(line: string): AgentsUse {
  if (INSIDE.includes(line)) return 'inside';
  if (RELAYED.includes(line)) return 'relayed';
  return OUTSIDE.includes(line) ? 'outside' : 'other-terminal';
}

/** Every command that has its use decided. */
export const DECIDED_COMMANDS: readonly string[] = [...INSIDE, ...RELAYED, ...OUTSIDE, ...OTHER_TERMINAL];
