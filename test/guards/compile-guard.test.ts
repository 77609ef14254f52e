import { afterAll, describe, expect, it } from 'vitest';
import { guardFileSchema } from '../../src/config/guard-files/guard-file.ts';
import type { Action } from '../../src/guards/action.ts';
import { compileGuard } from '../../src/guards/compile-guard.ts';
import { configureGuards } from '../../src/guards/configure-guards.ts';
import type { GuardFacts } from '../../src/guards/guard.ts';
import { common, GuardedProject, LIST, listText } from './guarded-project.ts';

const project = new GuardedProject();
afterAll(() => project.cleanup());

function guard(definition: object) {
  return compileGuard(
    guardFileSchema.parse({
      id: 'own',
      summary: 'Holds.',
      reason: 'Because.',
      guidance: 'Do otherwise.',
      ...definition,
    }),
  );
}

function judge(definition: object, action: Action, facts: Partial<GuardFacts> = {}): string {
  return project.judge(action, facts, [guard(definition)]).decision;
}

describe('a guard with paths', () => {
  const migrations = { paths: ['db/migrations/**'], except: ['db/migrations/drafts/**'] };

  it.each([
    ['an edit', project.edit('db/migrations/1.sql', 'x')],
    ['a command that writes', project.command('sed -i s/a/b/ db/migrations/1.sql')],
    ['a command that removes', project.command('rm db/migrations/1.sql')],
    ['a redirection', project.command('echo x > db/migrations/new.sql')],
  ])('judges %s', (_what, action) => {
    expect(judge(migrations, action)).toBe('deny');
  });

  it.each([
    ['an edit elsewhere', project.edit('db/schema.sql', 'x')],
    ['an exception', project.edit('db/migrations/drafts/1.sql', 'x')],
    ['reading', project.command('cat db/migrations/1.sql')],
    ['a name in a text', project.command('echo "see db/migrations/1.sql"')],
  ])('does not judge %s', (_what, action) => {
    expect(judge(migrations, action)).toBe('allow');
  });

  it('with kind read judges reading and not writing', () => {
    const secret = { kinds: ['read'], paths: ['secrets/'] };
    expect(judge(secret, project.read('secrets/key.txt'))).toBe('deny');
    expect(judge(secret, project.command('cat secrets/key.txt'))).toBe('deny');
    expect(judge(secret, project.command('echo x > secrets/key.txt'))).toBe('allow');
  });
});

describe('a guard with commands', () => {
  it.each([
    ['kubectl delete pod x', { program: 'kubectl', subcommand: 'delete' }],
    ['sudo kubectl -n prod delete pod x', { program: 'kubectl', args: ['prod'] }],
    ['npm publish --tag next', { program: 'npm', subcommand: 'publish', options: ['--tag'] }],
    ['npm publish --tag=next', { program: 'npm', subcommand: 'publish', options: ['--tag'] }],
    ['git -C x push -uf origin', { program: 'git', subcommand: 'push', options: ['-f'] }],
    ['bash -c "terraform apply -auto-approve"', { program: 'terraform', subcommand: 'apply' }],
    ['terraform-1.2 apply', { program: 'terraform*' }],
    ['psql prod-db -c x', { program: 'psql', args: ['prod-*'] }],
  ])('judges %s', (command, shape) => {
    expect(judge({ commands: [shape] }, project.command(command))).toBe('deny');
  });

  it.each([
    ['kubectl get pod delete', { program: 'kubectl', subcommand: 'delete' }],
    ['npm publish', { program: 'npm', subcommand: 'publish', options: ['--tag'] }],
    ['echo kubectl delete', { program: 'kubectl' }],
    ['git push origin', { program: 'git', subcommand: 'push', options: ['-f'] }],
    ['psql test-db', { program: 'psql', args: ['prod-*'] }],
  ])('does not judge %s', (command, shape) => {
    expect(judge({ commands: [shape] }, project.command(command))).toBe('allow');
  });
});

describe('a guard', () => {
  it('with fields judges only the named change', () => {
    const completed = { fields: [{ field: 'status', to: 'completed' }] };
    const edit = (status: string) =>
      project.edit(
        LIST,
        listText((features) => Object.assign(features[0] ?? {}, { status })),
      );
    expect([
      judge(completed, edit('completed')),
      judge(completed, edit('pending')),
      judge(completed, edit('in_progress')),
    ]).toEqual(['deny', 'allow', 'allow']);
  });

  it('that requires evidence reports what is missing, and has no objection once it exists', () => {
    const commit = { commands: [{ program: 'git', subcommand: 'commit' }], requires: 'tests' };
    const action = project.command('git commit -m x');
    expect(judge(commit, action, { evidence: () => 'pass' })).toBe('allow');
    expect(judge(commit, action, { evidence: () => 'fail' })).toBe('deny');
    const [finding] = project.judge(action, {}, [guard(commit)]).findings;
    expect(finding?.reason).toMatch(/^Because\. .*\btests\b/);
  });

  it('with agents judges only those, by bare type', () => {
    const own = { kinds: ['edit'], agents: ['tester', 'main'] };
    const edit = (type?: string) => project.edit('src/a.ts', 'x', type === undefined ? {} : { type });
    expect(
      [edit('tester-agent'), edit('plugin:tester'), edit(), edit('coding')].map((one) => judge(own, one)),
    ).toEqual(['deny', 'deny', 'deny', 'allow']);
  });

  it('with tools judges them by name', () => {
    const tool: Action = {
      ...common('mcp__db__drop'),
      kind: 'tool',
      name: 'mcp__db__drop',
      input: {},
      mentions: [],
    };
    expect(judge({ tools: ['mcp__db__*'] }, tool)).toBe('deny');
    expect(judge({ tools: ['mcp__files__*'] }, tool)).toBe('allow');
  });

  it('with kinds only judges all actions of those kinds', () => {
    const spawn: Action = { ...common('Task'), kind: 'spawn', type: 'x' };
    expect(judge({ kinds: ['spawn'], decision: 'ask' }, spawn)).toBe('ask');
    expect(judge({ kinds: ['edit'] }, spawn)).toBe('allow');
  });

  it('that expires on a day stays in force until the end of that day', () => {
    const action = project.edit('src/a.ts', 'x');
    const at = (now: string) => judge({ kinds: ['edit'], expires: '2026-11-15' }, action, { now });
    expect([at('2026-11-15T23:59:59Z'), at('2026-11-16T00:00:00Z')]).toEqual(['deny', 'allow']);
  });
});

describe('the configuration', () => {
  const own = {
    file: '.guardkit/guards/own.yaml',
    stale: false,
    definition: guardFileSchema.parse({
      id: 'own',
      summary: 's',
      kinds: ['edit'],
      reason: 'r',
      guidance: 'g',
    }),
  };

  it('sets modes, in short and long form', () => {
    const guards = configureGuards(
      { own: 'shadow', secrets: 'off', 'block-direct-edit': { mode: 'warn', sessions: 'all' } },
      [own],
    );
    const found = Object.fromEntries(guards.map(({ id, mode, drivenOnly }) => [id, [mode, drivenOnly]]));
    expect(found).toMatchObject({
      own: ['shadow', false],
      secrets: ['off', false],
      'block-direct-edit': ['warn', false],
      'enforce-mcp-logs': ['warn', true],
      'protected-set': ['enforce', false],
    });
  });

  it('leaves other guards unchanged', () => {
    expect(configureGuards({}, []).map(({ id, mode }) => `${id} ${mode}`)).toEqual([
      'block-tested-true enforce',
      'field-rights enforce',
      'protected-set enforce',
      'waiver-forgery enforce',
      'verify-implementation enforce',
      'block-direct-edit enforce',
      'enforce-mcp-logs warn',
      'destructive-commands enforce',
      'unseen-effects enforce',
      'thresholds enforce',
      'secrets enforce',
      'signing-key enforce',
      'architecture-by-tool warn',
    ]);
  });
});
