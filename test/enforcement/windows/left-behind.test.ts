import { expect, test } from 'vitest';
import {
  chooseLeftBehind,
  type LeftBehindQuestion,
  type ProcessFacts,
} from '../../../src/enforcement/windows/left-behind.ts';
import type { ProcessRow } from '../../../src/platform/process-row.ts';

const AGENT = 100;
const QUESTION: LeftBehindQuestion = {
  agent: 'claude',
  session: 's1',
  agentPid: AGENT,
  mark: { now: 0, lastPid: 0, forks: 0 },
  orphans: true,
  dataFolder: '/data',
};

interface Sketch {
  parent: number;
  name?: string;
  terminal?: string;
  environment?: readonly string[];
  hookShell?: boolean;
  ownTerminal?: boolean;
  otherGroup?: boolean;
  systemProgram?: string;
}

/** Which of the sketched processes count; 10 is this hook's own, a child of the agent. */
function chosen(sketches: Record<number, Sketch>, question: Partial<LeftBehindQuestion> = {}): number[] {
  const all: Record<number, Sketch> = { 10: { parent: AGENT }, ...sketches };
  const rows = Object.entries(all).map(
    ([pid, { parent, name = 'sh', terminal = '' }]): ProcessRow => ({
      pid: Number(pid),
      parent,
      name,
      terminal,
      started: 1,
    }),
  );
  const facts: ProcessFacts = {
    own: new Set([10]),
    parent: (pid) => all[pid]?.parent ?? (pid === AGENT ? 50 : 1),
    name: (pid) => (pid === 7 ? 'systemd' : 'sh'),
    isHookShell: (pid) => all[pid]?.hookShell === true,
    environment: (pid) => all[pid]?.environment ?? [],
    sameGroup: (pid) => all[pid]?.otherGroup !== true,
    agentTerminal: '34816',
    hasOwnTerminal: ({ pid }) => all[pid]?.ownTerminal === true,
    systemProgram: (pid) => all[pid]?.systemProgram ?? '',
  };
  return chooseLeftBehind({ ...QUESTION, ...question }, rows, facts).map(({ pid }) => pid);
}

const HOOK = ['CLAUDE_CODE_SESSION_ID=s1', 'AI_AGENT=claude-code_2_harness'];
const MARKED = ['CLAUDE_CODE_SESSION_ID=s1', 'AI_AGENT=claude-code_2_agent'];

test('what runs below the agent counts, however deep', () => {
  expect(chosen({ 11: { parent: AGENT }, 12: { parent: 11 }, 13: { parent: 12 } })).toEqual([11, 12, 13]);
});

test('this hook and others that run beside it do not', () => {
  expect(
    chosen({
      11: { parent: AGENT, hookShell: true },
      12: { parent: 11, hookShell: true },
      13: { parent: 12, name: 'node' },
    }),
  ).toEqual([]);
});

test('what only says by its variables that it is a hook counts', () => {
  expect(chosen({ 11: { parent: AGENT, environment: HOOK }, 12: { parent: 11, environment: HOOK } })).toEqual(
    [11, 12],
  );
});

test('what a shell had started before it became a hook counts', () => {
  expect(
    chosen({ 11: { parent: AGENT, hookShell: true }, 12: { parent: 11, name: 'node' }, 13: { parent: 11 } }),
  ).toEqual([12, 13]);
});

test('what calls itself a hook but was not started by the agent’s program itself does', () => {
  expect(chosen({ 11: { parent: 1, environment: HOOK } }, { orphans: false })).toEqual([11]);
  expect(chosen({ 12: { parent: 11, hookShell: true }, 11: { parent: AGENT } })).toEqual([11, 12]);
});

test('what bears the mark of the session counts wherever it is, and that of another session does not', () => {
  const other = MARKED.map((entry) => entry.replace('=s1', '=s12'));
  expect(
    chosen(
      { 11: { parent: 1, environment: MARKED }, 12: { parent: 1, environment: other } },
      { orphans: false },
    ),
  ).toEqual([11]);
});

test('an orphan without a mark counts if it is accounted to the same and of no other terminal', () => {
  const orphans = {
    11: { parent: 1 },
    12: { parent: 7 },
    13: { parent: 1, otherGroup: true },
    14: { parent: 1, terminal: '34817' },
    15: { parent: 1, terminal: '34816' },
    16: { parent: 60 },
    17: { parent: 1, terminal: '34818', ownTerminal: true },
  };
  expect(chosen(orphans)).toEqual([11, 12, 15, 17]);
  expect(chosen(orphans, { orphans: false })).toEqual([]);
});

test('a service of the machine that a command happened to start first does not count', () => {
  expect(chosen({ 11: { parent: AGENT, systemProgram: '/usr/bin/gpg-agent' } })).toEqual([]);
  expect(chosen({ 11: { parent: AGENT, systemProgram: '/usr/bin/node' } })).toEqual([11]);
});

test('without knowing the agent’s program, the mark still tells', () => {
  expect(chosen({ 11: { parent: 1, environment: MARKED } }, { agentPid: undefined, orphans: false })).toEqual(
    [11],
  );
});
