import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { guardFileSchema } from '../../src/config/guard-files/guard-file.ts';
import { type Feature, featureSchema } from '../../src/domain/entities/feature.ts';
import type { HookSource, ToolRequest } from '../../src/enforcement/hooks/hook-event.ts';
import { toAction } from '../../src/enforcement/hooks/to-action.ts';
import { compileGuard } from '../../src/guards/compile-guard.ts';
import { evaluateGuards } from '../../src/guards/evaluate-guards.ts';
import { actionReviver } from '../../src/guards/from-kept-action.ts';
import { ALLOWED, type GuardFacts } from '../../src/guards/guard.ts';
import { pathContext } from '../../src/guards/path-context.ts';
import { toRecordedAction } from '../../src/guards/to-recorded-action.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LIST = '.claude/progress/feature-list.json';
const FEATURES: readonly Feature[] = [featureSchema.parse({ id: 'FEAT-1', status: 'in_progress' })];

const SOURCE: HookSource = {
  agent: 'claude',
  session: 'session-1',
  cwd: '',
  actorType: 'coding-agent',
  actorId: undefined,
  canAsk: false,
};

function facts(root: string, features: readonly Feature[]): GuardFacts {
  return {
    now: '2026-11-15T10:00:00.000Z',
    root,
    dataFolder: join(root, '..', 'data'),
    driven: false,
    canAsk: false,
    wrapped: false,
    waivers: [],
    features: () => features,
    evidence: () => 'absent',
  };
}

function project() {
  const root = temporaryFolder();
  mkdirSync(join(root, '.git'));
  mkdirSync(join(root, '.claude/progress'), { recursive: true });
  mkdirSync(join(root, 'db/migrations'), { recursive: true });
  writeFileSync(join(root, LIST), JSON.stringify({ features: [{ id: 'FEAT-1' }] }));
  const context = pathContext({ cwd: root, root, home: '/home/ada', dataFolder: join(root, '..', 'data') });
  const keep = (tool: string, request: ToolRequest) => {
    const action = toAction(tool, request, { ...SOURCE, cwd: root }, context);
    const body = toRecordedAction(action, ALLOWED, {
      root: context.root,
      driven: false,
      canAsk: false,
      work: { feature: 'FEAT-1', task: null, turn: null },
      features: () => FEATURES,
    });
    // As read from the table.
    const stored = JSON.parse(JSON.stringify(body));
    const kept = { id: 1, project: 'p', session: 'session-1', action: 't', at: 0, decision: 'allow' };
    const revived = actionReviver({ root: context.root, home: '/home/ada' })({
      ...kept,
      kind: action.kind,
      body: stored,
    });
    if (!revived) throw new Error('it could not be made into an action again');
    return { action, body, revived, root: context.root };
  };
  return { root: context.root, keep };
}

const GUARDS = [
  { id: 'paths', paths: ['db/migrations/**'] },
  { id: 'reads', kinds: ['read'], paths: ['**/*.log'] },
  { id: 'pushes', commands: [{ program: 'git', subcommand: 'push', options: ['--force', '-f'] }] },
  { id: 'tools', tools: ['mcp__db__*'] },
  { id: 'fields', fields: [{ field: 'tested', to: true }] },
  { id: 'spawns', kinds: ['spawn'], agents: ['coding-agent'] },
].map((guard) => compileGuard(guardFileSchema.parse({ summary: 's', reason: 'r', guidance: 'g', ...guard })));

const REQUESTS: [string, ToolRequest][] = [
  ['Read', { kind: 'read', paths: ['out/app.log'], whole: true }],
  ['Write', { kind: 'write', path: 'db/migrations/1.sql', content: 'select 1' }],
  ['Write', { kind: 'write', path: 'src/a.ts', content: 'x' }],
  ['Bash', { kind: 'command', command: 'git push -f origin main', background: false }],
  ['Bash', { kind: 'command', command: 'sudo env A=1 git push --force', background: false }],
  ['Bash', { kind: 'command', command: 'cat a.log > db/migrations/2.sql', background: false }],
  ['Bash', { kind: 'command', command: 'npm test', background: false }],
  ['mcp__db__query', { kind: 'tool', name: 'mcp__db__query', input: { sql: 'select 1' } }],
  ['Task', { kind: 'spawn', type: 'coding-agent' }],
  [
    'Write',
    { kind: 'write', path: LIST, content: JSON.stringify({ features: [{ id: 'FEAT-1', tested: true }] }) },
  ],
  [
    'Write',
    { kind: 'write', path: LIST, content: JSON.stringify({ features: [{ id: 'FEAT-1', notes: 'n' }] }) },
  ],
];

describe('[LEARN-2] a kept action', () => {
  it.each(REQUESTS)('is judged by a project’s guards like the original: %s %j', (tool, request) => {
    const { keep } = project();
    const { action, revived, root } = keep(tool, request);
    const before = evaluateGuards(action, GUARDS, facts(root, FEATURES));
    const after = evaluateGuards(revived, GUARDS, facts(root, []));
    expect(after).toEqual(before);
    expect(revived.summary).toBe(action.summary);
    expect(revived.actor).toEqual(action.actor);
  });

  it('contains no secret and no file content', () => {
    const { keep } = project();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const kept = [
      keep('Bash', { kind: 'command', command: `curl -H 'token: ${secret}' x.test`, background: false }),
      keep('Write', { kind: 'write', path: 'src/a.ts', content: `const hidden = '${secret}'` }),
      keep('mcp__x__y', { kind: 'tool', name: 'mcp__x__y', input: { token: secret, __proto__: 1 } }),
    ].map(({ body }) => JSON.stringify(body));
    for (const text of kept) expect(text).not.toContain(secret);
    expect(kept[1]).not.toContain('hidden');
  });

  it('is always small', () => {
    const { keep } = project();
    const files = Array.from({ length: 500 }, (_one, index) => `src/${index}/${'long'.repeat(50)}.ts`);
    const huge = [
      keep('Bash', { kind: 'command', command: `rm ${files.join(' ')}`, background: false }),
      keep('Read', { kind: 'read', paths: files, whole: true }),
      keep('x', { kind: 'tool', name: 'x', input: { text: 'y'.repeat(1_000_000) } }),
    ];
    for (const { body } of huge) expect(JSON.stringify(body).length).toBeLessThan(40_000);
  });

  it('has the same `attempted` text for the same kind of action', () => {
    const { keep } = project();
    const attempted = (tool: string, request: ToolRequest) => keep(tool, request).body.attempted;
    expect(attempted('Write', { kind: 'write', path: `./${LIST}`, content: '' })).toBe(`edit ${LIST}`);
    expect(attempted('Bash', { kind: 'command', command: 'git -C . push -f', background: false })).toBe(
      attempted('Bash', { kind: 'command', command: 'sudo git push origin main', background: false }),
    );
    expect(attempted('Task', { kind: 'spawn', type: 'tester-agent' })).toBe('spawn tester-agent');
  });
});
