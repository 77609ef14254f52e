import fc from 'fast-check';
import { expect, it } from 'vitest';
import { guardFileSchema } from '../../../src/config/guard-files/guard-file.ts';
import type { Pattern } from '../../../src/domain/entities/pattern.ts';
import { compileGuard } from '../../../src/guards/compile-guard.ts';
import { type AttemptFacet, facetOfWords } from '../../../src/learning/proposals/attempt-facet.ts';
import { guardCandidates } from '../../../src/learning/proposals/create-guard.ts';
import { guardMatches } from '../../../src/learning/proposals/guard-matches.ts';
import { ANY_CHARACTER } from '../../support/any-character.ts';
import { runs } from '../../support/thorough.ts';

const edits = (...paths: string[]): AttemptFacet[] => paths.map((path) => ({ kind: 'edit', paths: [path] }));
const call = (
  program: string,
  subcommand?: string,
  options: string[] = [],
  args: string[] = [],
): AttemptFacet => ({
  kind: 'command',
  calls: [{ program, subcommand, options, args }],
});

it('files of one folder suggest a guard for the folder first, then for just those files', () => {
  expect(guardMatches(edits('src/gen/a.ts', 'src/gen/sub/b.ts'), null)).toEqual([
    { kinds: ['edit'], paths: ['src/gen/**'] },
    { kinds: ['edit'], paths: ['src/gen/a.ts', 'src/gen/sub/b.ts'] },
  ]);
});

it('one file is guarded alone, and files across the project never suggest the whole project', () => {
  expect(guardMatches(edits('src/gen/a.ts', 'src/gen/a.ts'), null)).toEqual([
    { kinds: ['edit'], paths: ['src/gen/a.ts'] },
  ]);
  expect(guardMatches(edits('a.ts', 'lib/b.ts'), null)).toEqual([
    { kinds: ['edit'], paths: ['a.ts', 'lib/b.ts'] },
  ]);
});

it('commands are guarded by all they have in common first: a forced push before any push', () => {
  const pushes = [
    call('git', 'push', ['--force'], ['origin', 'main']),
    call('git', 'push', ['--force'], ['origin']),
  ];
  expect(guardMatches(pushes, null)).toEqual([
    { kinds: ['command'], commands: [{ program: 'git', subcommand: 'push', options: ['--force'] }] },
    { kinds: ['command'], commands: [{ program: 'git', subcommand: 'push', args: ['origin'] }] },
    { kinds: ['command'], commands: [{ program: 'git', subcommand: 'push' }] },
  ]);
});

it('a shell or an interpreter alone is not a match, the script it runs is', () => {
  expect(guardMatches([call('bash', 'a.sh'), call('bash', 'b.sh')], null)).toEqual([]);
  expect(guardMatches([call('node', '-e')], null)[0]?.commands).toEqual([
    { program: 'node', subcommand: '-e' },
  ]);
  expect(guardMatches([call('sh', './flip.sh'), call('sh', './flip.sh')], null)).toEqual([
    { kinds: ['command'], commands: [{ program: 'sh', subcommand: './flip.sh' }] },
  ]);
});

it('parts common to all commands are ignored', () => {
  const both = ['curl', 'curl'].map(
    (program): AttemptFacet => ({
      kind: 'command',
      calls: [
        { program: 'cd', subcommand: 'app', options: [], args: [] },
        { program, subcommand: 'http://example.org', options: [], args: [] },
      ],
    }),
  );
  expect(guardMatches(both, null)[0]?.commands?.[0]?.program).toBe('curl');
  expect(guardMatches([call('ls'), call('ls')], null)).toEqual([]);
});

it('of fields in the feature list, only those that the guard covers count', () => {
  const list: AttemptFacet[] = [1, 2].map((at) => ({
    kind: 'fields',
    fields: [
      { field: 'notes', to: 'done' },
      { field: 'tested', to: true },
      { field: 'priority', to: at },
    ],
  }));
  expect(guardMatches(list, 'block-tested-true')).toEqual([{ fields: [{ field: 'tested', to: true }] }]);
});

const PATTERN: Pattern = {
  pattern_id: 'PATTERN-0123456789ab',
  what: 'something',
  type: 'violation',
  agent: 'coding',
  guard: null,
  attempted: 'edit',
  count: 3,
  features: ['FEAT-1', 'FEAT-2'],
  sessions: 2,
  first_at: '2026-03-02T10:00:00.000Z',
  last_at: '2026-03-02T10:00:00.000Z',
  trend: 'new',
  recent: 3,
  before: 0,
  examples: [],
  correct: [],
  attempts: [],
  actions: [],
  suggests: [],
  because: 'because',
  weight: 'guard',
  origin: null,
};

/** Everything in a guard that is matched against something. */
function matched({
  paths = [],
  commands = [],
  tools = [],
  agents = [],
  fields = [],
}: ReturnType<typeof guardFileSchema.parse>) {
  return [
    ...paths.map((path) => path.replace(/\/\*\*$/, '')),
    ...commands.flatMap(({ program, subcommand, options = [], args = [] }) => [
      program,
      subcommand ?? '',
      ...options,
      ...args,
    ]),
    ...tools,
    ...agents,
    ...fields.map(({ field }) => field),
  ];
}

const NASTY = [
  '*',
  '**',
  'src/*',
  '(a+)+$',
  '.*',
  '$(touch /tmp/x)',
  '`id`',
  '; rm -rf /',
  "'; exit 0 #",
  '\u202Egnp.js',
  'a\nid: other',
  '"}: [',
  '__proto__',
  'x'.repeat(5000),
  '\ud800',
  '',
  '!!js/function',
];
const text = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: ANY_CHARACTER, maxLength: 40 }));

it('no word of a trace becomes a pattern that matches more than that word [LEARN-9]', () => {
  const facet = fc.oneof(
    fc.record({
      kind: fc.constantFrom('edit' as const, 'read' as const),
      paths: fc.array(text, { maxLength: 4 }),
    }),
    fc.record({
      kind: fc.constant('command' as const),
      calls: fc.array(
        fc.record({
          program: text,
          subcommand: fc.option(text, { nil: undefined }),
          options: fc.array(text, { maxLength: 2 }),
          args: fc.array(text, { maxLength: 3 }),
        }),
        { maxLength: 3 },
      ),
    }),
    fc.record({ kind: fc.constant('tool' as const), name: text }),
  );
  fc.assert(
    fc.property(
      fc.array(facet, { minLength: 1, maxLength: 3 }),
      text,
      text,
      text,
      (facets, agent, correct, feature) => {
        const hostile = { ...PATTERN, agent: agent || 'x', correct: [correct], features: [feature] };
        for (const definition of guardCandidates('learned-p0123456789ab', hostile, [...facets, ...facets])) {
          expect(guardFileSchema.parse(definition)).toEqual(definition);
          for (const word of matched(definition)) {
            expect(word).not.toMatch(/[*?\n\r\0]/);
          }
          for (const said of [definition.summary, definition.reason, definition.guidance])
            expect(said).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
          expect(definition.id).toBe('learned-p0123456789ab');
          expect(definition.mode).toBe('shadow');
          compileGuard(definition);
        }
      },
    ),
    { numRuns: runs(300) },
  );
});

it('the description in a trace is enough if the action is gone', () => {
  expect(facetOfWords('edit src/gen/a.ts, src/gen/b.ts')).toEqual({
    kind: 'edit',
    paths: ['src/gen/a.ts', 'src/gen/b.ts'],
  });
  expect(facetOfWords('command git push, rm')).toMatchObject({
    calls: [{ program: 'git', subcommand: 'push' }, { program: 'rm' }],
  });
  expect(facetOfWords('said')).toBeUndefined();
  expect(facetOfWords('edit /etc/passwd')).toBeUndefined();
});
