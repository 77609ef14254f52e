import type { TestFile } from '../match-tests.ts';
import { CAN_FAIL, readRustExamples } from '../read-rust-examples.ts';
import { loss, type TestLoss } from '../test-loss.ts';
import { examplesIn } from './python-examples.ts';

const SHOWN = 3;
const LONGEST = 100;

const SKIP = /\s{0,9}#\s{0,9}doctest:[^\n]{0,100}\+SKIP\b[^\n]{0,100}/;

/** Examples of the base's documentation that the candidate marks to be skipped. */
export function skippedExamples(
  before: readonly TestFile[],
  after: readonly TestFile[],
  { doctests }: { doctests: boolean },
): TestLoss[] {
  if (!doctests) return [];
  const known = new Map(before.map(({ path, text }) => [path, new Set(codeOfExamples(text))]));
  return after.flatMap(({ path, text }) =>
    codeOfExamples(text)
      .filter((code) => SKIP.test(code))
      .map((code) => code.replace(SKIP, ''))
      .filter((code) => known.get(path)?.has(code))
      .map((code) =>
        loss(
          'skipped',
          'fail',
          path,
          null,
          `The example "${code.slice(0, LONGEST)}" no longer runs: it is marked +SKIP.`,
        ),
      ),
  );
}

function codeOfExamples(text: string): string[] {
  return examplesIn(text)
    .split('\n')
    .filter((row) => row.startsWith('>>> '))
    .map((row) => row.slice(4).trimEnd());
}

/**
 * Finds results that examples in the base's documentation expect, and examples in the candidate's no longer do. They are shown,
 * not refused: the base version of documentation does not run.
 */
export function changedExamples(
  before: readonly TestFile[],
  after: readonly TestFile[],
  { doctests }: { doctests: boolean },
): TestLoss[] {
  const left = new Map<string, number>();
  for (const file of after)
    for (const one of expectations(file, doctests)) left.set(one, (left.get(one) ?? 0) + 1);
  return before.flatMap((file) => {
    const gone = expectations(file, doctests).filter((one) => {
      const count = left.get(one) ?? 0;
      left.set(one, count - 1);
      return count <= 0;
    });
    if (gone.length === 0) return [];
    const shown = gone.slice(0, SHOWN).map((one) => `"${one.slice(0, LONGEST)}"`);
    const more = gone.length > SHOWN ? ` and ${gone.length - SHOWN} more` : '';
    const words = `Documentation examples no longer expect ${shown.join(', ')}${more}; their base version was not run.`;
    return [loss('weakened', 'warn', file.path, null, words)];
  });
}

/** In Python each call with its output, in Rust each line that can fail. */
function expectations({ path, text }: TestFile, doctests: boolean): string[] {
  if (path.endsWith('.rs')) {
    const lines = text.split('\n');
    return readRustExamples(text).flatMap(({ lines: [from, to] }) =>
      lines
        .slice(from, to - 1)
        .map((line) => line.replace(/^\s*\/\/[/!]/, '').trim())
        .filter((line) => CAN_FAIL.test(line)),
    );
  }
  return doctests ? pythonExpectations(text) : [];
}

function pythonExpectations(text: string): string[] {
  const found: { code: string[]; output: string[] }[] = [];
  for (const row of examplesIn(text).split('\n')) {
    const last = found.at(-1);
    if (row.startsWith('>>> ')) found.push({ code: [row.slice(4)], output: [] });
    else if (/^\.\.\.(?: |$)/.test(row) && last?.output.length === 0) last.code.push(row.slice(4));
    else last?.output.push(row);
  }
  return found
    .filter(({ output }) => output.length > 0)
    .map(({ code, output }) => `${code.join(' ')} → ${output.join(' ')}`);
}
