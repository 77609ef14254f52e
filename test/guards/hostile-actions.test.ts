import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { guardFileSchema } from '../../src/config/guard-files/guard-file.ts';
import { BUILT_IN_GUARDS } from '../../src/guards/built-in/built-in-guards.ts';
import { compileGuard } from '../../src/guards/compile-guard.ts';
import { ANY_CHARACTER } from '../support/any-character.ts';
import { runs } from '../support/thorough.ts';
import { GuardedProject, LIST } from './guarded-project.ts';

const project = new GuardedProject();
afterAll(() => project.cleanup());

const OWN = compileGuard(
  guardFileSchema.parse({
    id: 'own',
    summary: 's',
    paths: ['**/*a*b*c*d*.ts', 'x/**/y/**/z'],
    commands: [{ program: '*a*b*c', options: ['--*x*'], args: ['*y*z*'] }],
    fields: [{ field: '__proto__' }, { field: 'status' }],
    reason: 'r',
    guidance: 'g',
  }),
);
const GUARDS = [...BUILT_IN_GUARDS, OWN];

const words = fc.constantFrom(
  'sed',
  '-i',
  'rm',
  '-rf',
  'git',
  'push',
  '--force',
  'config',
  'core.hooksPath',
  'find',
  '-delete',
  '-exec',
  '{}',
  ';',
  '|',
  '&&',
  '>',
  '>>',
  '<<EOF',
  '\nEOF\n',
  '$(',
  ')',
  '`',
  '"',
  "'",
  '$x',
  '*',
  '..',
  '/',
  '~',
  LIST,
  '.guardkit/config.yaml',
  '.claude',
  'node',
  '-e',
  'python3',
  '-c',
  'guardkit',
  'accept',
  '--vouch',
  'tee',
  '\0',
  '\u202e',
  'a'.repeat(300),
  '{a,b}',
);

/** Checks that no guard failed: a failure is a refusal by guard-error. */
function expectSound(findings: readonly { guard: string; reason: string }[]): void {
  expect(findings.filter(({ guard }) => guard === 'guard-error')).toEqual([]);
}

it('any command gets a verdict without guard errors', () => {
  fc.assert(
    fc.property(fc.array(words, { maxLength: 30 }), fc.boolean(), (parts, driven) => {
      const action = project.command(parts.join(' '));
      expectSound(project.judge(action, { driven }, GUARDS).findings);
    }),
    { numRuns: runs(400) },
  );
});

it('any edit gets a verdict without guard errors', () => {
  const path = fc.oneof(
    fc.constantFrom(
      LIST,
      'package.json',
      'vitest.config.ts',
      'test/a.test.ts',
      'src/a.ts',
      '.guardkit/config.yaml',
    ),
    fc.string({ unit: ANY_CHARACTER, maxLength: 50 }),
  );
  const text = fc.oneof(
    fc.string({ unit: ANY_CHARACTER, maxLength: 500 }),
    fc.json(),
    fc.constant(undefined),
  );
  fc.assert(
    fc.property(path, text, text, fc.option(fc.string(), { nil: undefined }), (file, before, after, type) => {
      const action = project.edit(file, after, {
        ...(before === undefined ? {} : { before }),
        ...(type === undefined ? {} : { type }),
      });
      expectSound(project.judge(action, { driven: true }, GUARDS).findings);
    }),
    { numRuns: runs(300) },
  );
});

it.each([
  ['a very long word', 'a'.repeat(200_000)],
  ['many words', 'a '.repeat(50_000)],
  ['many slashes', '/'.repeat(200_000)],
  ['many parent folders', '../'.repeat(30_000)],
  ['many patterns', 'rm '.concat('*a'.repeat(20_000))],
  ['many mentions of the list', `node -e "${`${LIST} `.repeat(5_000)}"`],
  ['many brackets', `python3 -c "${'open('.repeat(30_000)}"`],
  ['many quotes', `python3 -c "${"'".repeat(100_000)}"`],
  ['many options', `git push ${'-f'.repeat(50_000)}`],
  ['many numbers', `echo ${'lines: 80 '.repeat(20_000)} > vitest.config.ts`],
])('%s: judged quickly', (_what, command) => {
  const { findings } = project.judge(project.command(command), {}, GUARDS);
  expectSound(findings);
});

it.each([
  ['vitest.config.ts', 'lines'.repeat(40_000)],
  ['vitest.config.ts', `coverage ${'lines:'.repeat(30_000)}`],
  ['package.json', `{"scripts": {"test": "${'|| '.repeat(30_000)}"}}`],
  ['package.json', `{"scripts": {"test": "${'-t '.repeat(30_000)}"}}`],
  ['test/a.test.ts', 'it.'.repeat(60_000)],
  ['src/a.ts', 'password = "'.repeat(15_000)],
])('a hostile edit of %s is judged quickly', (path, text) => {
  expectSound(project.judge(project.edit(path, text, { before: 'coverage lines: 80' }), {}, GUARDS).findings);
});
