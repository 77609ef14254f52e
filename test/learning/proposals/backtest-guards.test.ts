import { expect, it } from 'vitest';
import { guardFileSchema } from '../../../src/config/guard-files/guard-file.ts';
import { compileGuard } from '../../../src/guards/compile-guard.ts';
import { actionReviver } from '../../../src/guards/from-kept-action.ts';
import type { GuardFacts } from '../../../src/guards/guard.ts';
import { backtestGuards, mayMatch } from '../../../src/learning/proposals/backtest-guards.ts';
import { keptActions } from '../../../src/store/ledger/tables/kept-actions.ts';
import { openMemory, PROJECT } from '../memory.ts';

const define = (match: object) =>
  guardFileSchema.parse({ id: 'tried', summary: 's', reason: 'r', guidance: 'g', ...match });
const PUSH = define({ commands: [{ program: 'git', subcommand: 'push' }] });

const WAYS_TO_PUSH = [
  'git push',
  'cd app && git -C . push origin main',
  'g"i"t pu\'s\'h',
  'g\\it p\\ush',
  'X=git; $X push',
  'A=pu; B=sh; git $A$B',
  'bash -c "git push"',
  "eval 'git push'",
  'p=push; "g"it "$p"',
  'sudo env A=1 git push --force',
  'git \\\n  push',
  'echo Z2l0IHB1c2g= | base64 -d | sh',
];
const OTHERS = ['git status', 'npm test', 'echo pushing', 'for f in *.ts; do cat "$f"; done', 'ls "$HOME"/x'];

const FACTS: GuardFacts = {
  now: '2026-03-02T10:00:00.000Z',
  root: '/project',
  dataFolder: '',
  driven: false,
  canAsk: false,
  wrapped: false,
  waivers: [],
  features: () => [],
  evidence: () => 'absent',
};

it('the word search finds every action that the guard would object to', async () => {
  const memory = await openMemory();
  for (const command of [...WAYS_TO_PUSH, ...OTHERS]) memory.keep({ body: { command, cwd: '.' } });
  memory.keep({ kind: 'edit', body: { edits: [{ file: 'src/gen/a "quoted".ts' }] } });
  memory.keep({ kind: 'edit', body: { edits: [{ file: 'src/other.ts' }] } });
  memory.keep({ kind: 'tool', body: { name: 'mcp__db__drop_table' } });
  memory.keep({ kind: 'read', body: { files: ['logs/a.log'] } });
  memory.keep({ kind: 'spawn', body: { spawned: 'coding' } });
  const guards = [
    PUSH,
    define({ paths: ['src/gen/**'] }),
    define({ paths: ['**/a "quoted".ts'] }),
    define({ tools: ['mcp__*__drop_*'] }),
    define({ kinds: ['read'], paths: ['**/*.log'] }),
    define({ kinds: ['spawn'] }),
    define({ kinds: ['command'] }),
    define({ commands: [{ program: '*' }] }),
    define({ commands: [{ program: 'git', args: ['origin'] }], paths: ['src/other.ts'] }),
  ];
  const revive = actionReviver({ root: '/project', home: '/home/ada' });
  const context = { ledger: memory.ledger, project: PROJECT, root: '/project', home: '/home/ada', now: 0 };
  for (const definition of guards) {
    const guard = compileGuard(definition);
    const fired = [...keptActions(memory.ledger, PROJECT)].filter((kept) => {
      const action = revive(kept);
      return action && guard.kinds.includes(action.kind) && guard.judge(action, FACTS) !== undefined;
    });
    const [backtest] = backtestGuards([definition], context);
    expect({ definition, fired: backtest?.fired }).toEqual({ definition, fired: fired.length });
  }
});

it('most commands need no parsing', () => {
  const may = mayMatch(PUSH);
  const kept = (command: string) => JSON.stringify({ agent: 'claude', command });
  expect(OTHERS.filter((command) => may('command', kept(command)))).toEqual([]);
  expect(may('edit', kept('git push'))).toBe(false);
});

it('refused, restored or traced actions are violations, waived or approved ones are not, the rest is unknown', async () => {
  const memory = await openMemory();
  const push = { command: 'git push', cwd: '.' };
  const other = { guard: 'destructive-commands', silent: null };
  memory.keep({
    action: 'refused',
    decision: 'deny',
    body: { ...push, findings: [{ ...other, decision: 'deny' }] },
  });
  memory.keep({ action: 'back', body: push });
  memory.keep({ action: 'traced', body: push });
  memory.keep({
    action: 'waived',
    body: { ...push, findings: [{ ...other, decision: 'deny', silent: 'waived' }] },
  });
  memory.keep({ action: 'approved', body: { ...push, feature: 'FEAT-1' } });
  memory.keep({ action: 'open', body: { ...push, feature: 'FEAT-2' } });
  memory.keep({
    action: 'own',
    decision: 'deny',
    body: { ...push, feature: 'FEAT-1', findings: [{ guard: 'tried', decision: 'deny', silent: null }] },
  });
  memory.ledger.append(PROJECT, 'violation_recorded', {
    session: 's1',
    agent: 'claude',
    agent_type: null,
    guard: 'field-rights',
    what: 'changed it',
    path: '.guardkit/config.yaml',
    before_hash: null,
    found_hash: null,
    quarantined: null,
    restored: true,
    action: 'back',
  });
  memory.ledger.append(PROJECT, 'feature_completed', {
    feature_id: 'FEAT-1',
    tip: 'a',
    commit: 'b',
    into: 'main',
    by: 'Ada',
  });
  memory.wait(1000);
  memory.keep({ action: 'after', body: { ...push, feature: 'FEAT-1' } });
  const [backtest] = backtestGuards([PUSH], {
    ledger: memory.ledger,
    project: PROJECT,
    root: '/project',
    home: '/home/ada',
    now: memory.now(),
    wrong: [{ session: 's1', action: 'traced' }],
  });
  expect(backtest).toMatchObject({ actions: 8, fired: 8, violations: 3, approved: 2, unknown: 3 });
  expect(backtest?.false_blocks).toHaveLength(2);
});

it('actions of other projects are ignored', async () => {
  const memory = await openMemory();
  memory.keep({ project: 'other-2', body: { command: 'git push', cwd: '.' } });
  const context = { ledger: memory.ledger, project: PROJECT, root: '/project', home: '/home/ada', now: 0 };
  expect(backtestGuards([PUSH], context)).toMatchObject([{ actions: 0, fired: 0 }]);
});
