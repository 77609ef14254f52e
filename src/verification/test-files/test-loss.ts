import { fitsGlob } from '../../domain/protection/fits-glob.ts';
import type { TestMatch } from './match-tests.ts';

export interface TestLoss {
  type:
    | 'file-deleted'
    | 'removed'
    | 'skipped'
    | 'emptied'
    | 'only'
    | 'replaced'
    | 'unreadable'
    | 'moved'
    | 'renamed'
    | 'weakened'
    | 'conditional'
    | 'parameterised';
  /** `fail` is a loss, `warn` is shown, `accepted` is a loss that a person declared. */
  severity: 'fail' | 'warn' | 'accepted';
  file: string;
  /** Null if it concerns the whole file. */
  name: string | null;
  words: string;
  /** The counterpart of a moved or renamed test in the candidate. */
  now?: { file: string; name: string };
}

export function loss(
  type: TestLoss['type'],
  severity: TestLoss['severity'],
  file: string,
  name: string | null,
  words: string,
): TestLoss {
  return { type, severity, file, name, words };
}

/** A loss that a person declared, by file or by test name, is shown and no longer counts. */
export function acceptLoss(
  one: TestLoss,
  allowed: true | readonly string[],
  matches: readonly TestMatch[],
): TestLoss {
  if (one.severity !== 'fail' || (allowed !== true && allowed.length === 0)) return one;
  const named = (name: string) => allowed === true || allowed.some((glob) => fitsName(name, glob));
  const file = allowed === true || allowed.some((glob) => fitsGlob(one.file, glob));
  const names =
    one.name !== null
      ? [one.name]
      : matches
          .filter((match) => match.before.file === one.file && match.by === 'nothing')
          .map((match) => match.before.test.name);
  const all =
    one.type === 'file-deleted' || one.name !== null ? names.length > 0 && names.every(named) : false;
  return file || all ? { ...one, severity: 'accepted', words: `${one.words} A person declared this.` } : one;
}

/** Slashes are not separators in a test's name. */
function fitsName(name: string, glob: string): boolean {
  return name === glob || fitsGlob(name.replaceAll('/', '\u0001'), glob.replaceAll('/', '\u0001'));
}
