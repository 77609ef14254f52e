import { expect, test } from 'vitest';
import {
  ancestors,
  judgeTerminal,
  judgeUntold,
} from '../../../src/enforcement/windows/find-agents-terminal.ts';
import type { ActionWindow } from '../../../src/enforcement/windows/window.ts';
import type { ProcessRow } from '../../../src/platform/process-row.ts';

const BEGAN = 500;

function window(more: Partial<ActionWindow['body']> = {}): ActionWindow {
  return {
    project: 'shop-1',
    checkout: '/shop',
    session: 'session-1',
    action: 'a1',
    opened_at: 0,
    body: {
      agent: 'claude',
      agent_type: null,
      agent_id: null,
      runs: true,
      summary: '',
      repository: '',
      agent_process: null,
      mark: { now: BEGAN, lastPid: 1, forks: 1 },
      state: 'open',
      scheduled: false,
      processes: [],
      ...more,
    },
  };
}

/** What is said of a command with these processes above it, each with its name and start; itself first. */
function judged(above: readonly (readonly [name: string, started: number])[], windows = [window()], top = 1) {
  return judgeTerminal(stack(above, top), windows);
}

function stack(above: readonly (readonly [name: string, started: number])[], top = 1) {
  const rows = above.map(
    ([name, started], index): ProcessRow => ({
      pid: 10 + index,
      parent: index === above.length - 1 ? top : 11 + index,
      name,
      started,
      terminal: '1',
    }),
  );
  const init: ProcessRow = { pid: 1, parent: 0, name: 'init', started: 1, terminal: '' };
  return ancestors(10, (pid) => [...rows, init].find((row) => row.pid === pid));
}

test('a terminal that was there before the agent acted is a person’s, also with a new shell in it', () => {
  expect(
    judged([
      ['guardkit', 900],
      ['bash', 800],
      ['terminal', 100],
    ]),
  ).toBeUndefined();
});

test('a terminal that came up during an action may be the agent’s', () => {
  expect(
    judged([
      ['guardkit', 900],
      ['script', 800],
      ['sh', 700],
    ]),
  ).toContain('while claude session- was acting');
  expect(
    judged([
      ['guardkit', 900],
      ['script', 800],
      ['sh', 700],
      ['systemd', 2],
    ]),
  ).toContain('was acting');
});

test('while no agent acts every terminal is a person’s', () => {
  expect(
    judged(
      [
        ['guardkit', 900],
        ['sh', 700],
      ],
      [],
    ),
  ).toBeUndefined();
});

test('what an action left running is the agent’s, however old', () => {
  const left = window({ state: 'background', mark: null, processes: [{ pid: 11, started: 300 }] });
  expect(
    judged(
      [
        ['guardkit', 900],
        ['sh', 300],
        ['terminal', 100],
      ],
      [left],
    ),
  ).toContain('left running');
});

test('a terminal that was brought into a container from outside is a person’s', () => {
  expect(
    judged(
      [
        ['guardkit', 900],
        ['bash', 800],
      ],
      [window()],
      0,
    ),
  ).toBeUndefined();
});

test('what acts in a sandbox alone opens no terminal outside of it', () => {
  expect(judged([['guardkit', 900]], [window({ confined: true })])).toBeUndefined();
  expect(judged([['guardkit', 900]], [window({ confined: true }), window()])).toContain('was acting');
});

test('where the ledger cannot be asked, what came up after a running agent may be the agent’s', () => {
  const agents = [{ pid: 70, started: 400, program: 'claude' }];
  const older = stack([
    ['guardkit', 900],
    ['bash', 300],
  ]);
  const younger = stack([
    ['guardkit', 900],
    ['sh', 700],
  ]);
  expect(judgeUntold(older, agents, 'the ledger is gone')).toBeUndefined();
  expect(judgeUntold(younger, [], 'the ledger is gone')).toBeUndefined();
  expect(judgeUntold(stack([['guardkit', 900]], 0), agents, 'the ledger is gone')).toBeUndefined();
  expect(judgeUntold(younger, agents, 'the ledger is gone')).toMatch(
    /^the ledger is gone.*claude \(process 70\).*terminal that was open before it$/,
  );
});

test('a terminal that any program can type into is nobody’s while an agent runs something', () => {
  for (const name of ['tmux: server', 'SCREEN', 'zellij']) {
    const above = [
      ['guardkit', 900],
      ['bash', 100],
      [name, 90],
    ] as const;
    expect(judged(above)).toContain(`${name} lets other programs type`);
    expect(judged(above, [window({ state: 'background' })])).toContain('use a terminal outside of it');
    // Nothing runs that could, or it cannot reach out of its sandbox.
    expect(judged(above, [])).toBeUndefined();
    expect(judged(above, [window({ runs: false })])).toBeUndefined();
    expect(judged(above, [window({ confined: true })])).toBeUndefined();
  }
});
