import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readGitConfig } from '../../../src/platform/git/git-config.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runs } from '../../support/thorough.ts';

const PIECES = [
  '[core]',
  '[User "a b"]',
  '[a "\\"]\\\\"]',
  '[x.Y]',
  'name = v',
  'Flag',
  'k = "a ; b" # c \\',
  'k = a\\',
  'k = a \\"b\\" c',
  '# c \\',
  '; [core]',
  '\t',
  '',
  'k = [core]',
  'k=1;2',
  '[z]k=v',
  'k = a\\\\',
];

/** Git's own reading of a file; undefined if git refuses it. */
function asGitReads(file: string): string[] | undefined {
  try {
    const out = execFileSync('git', ['config', '--file', file, '--list', '-z'], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return out
      .split('\0')
      .filter(Boolean)
      .map((entry) => entry.replace('\n', '='));
  } catch {
    return undefined;
  }
}

test('a configuration is taken apart as git takes it apart', () => {
  const file = join(temporaryFolder(), 'config');
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }),
      fc.constantFrom('\n', '\r\n'),
      (lines, end) => {
        const text = lines.map((line) => line + end).join('');
        writeFileSync(file, text);
        const ours = readGitConfig(text)?.map(({ key, value }) => `${key}=${value}`);
        // Git prints a name without a value as such.
        const theirs = asGitReads(file)?.map((entry) => (entry.includes('=') ? entry : `${entry}=true`));
        expect(ours).toEqual(theirs);
      },
    ),
    { numRuns: runs(60) },
  );
});
