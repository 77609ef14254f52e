import { isObject } from '../../domain/json/plain-shape.ts';
import { own } from '../own-value.ts';

export interface ChangedScripts {
  /** Ran something that could fail, and would not any more. */
  emptied: string[];
  /** Would run less. */
  narrowed: string[];
}

/** What becomes of the scripts that test, when a package.json is edited. */
export function changedScripts(before: string, after: string): ChangedScripts {
  const [old, next] = [scriptsOf(before), scriptsOf(after)];
  const changed: ChangedScripts = { emptied: [], narrowed: [] };
  if (!old || !next) return changed;
  for (const [name, command] of Object.entries(old)) {
    if (
      !/^(?:pre|post)?(?:test|coverage|check|verify|ci)(?:$|[:_-])/.test(name) ||
      typeof command !== 'string'
    )
      continue;
    const now = own(next, name);
    if (typeof now !== 'string' || now === command) continue;
    if (cannotFail(now) && !cannotFail(command) && !isPlaceholder(command)) changed.emptied.push(name);
    else if (narrowings(now) > narrowings(command) || (ranAll(command) && namesFiles(now)))
      changed.narrowed.push(name);
  }
  return changed;
}

function scriptsOf(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const scripts = isObject(parsed) ? own(parsed, 'scripts') : undefined;
    return isObject(scripts) ? scripts : undefined;
  } catch {
    // Safe: a package.json that cannot be read runs no script at all.
    return undefined;
  }
}

/** What npm itself writes where there are no tests. */
function isPlaceholder(command: string): boolean {
  return /no test specified/.test(command);
}

/** Ends well whatever happens: prints, does nothing, or takes a failure for success. */
function cannotFail(command: string): boolean {
  const text = command.trim();
  if (/(?:\|\||;)\s{0,5}(?:true|:|exit 0|echo\b[^&|;]{0,200})$/.test(text)) return true;
  return text.split(/&&|;/).every((part) => /^(?:true|:|exit 0|echo\b.*|printf\b.*|)$/s.test(part.trim()));
}

const NARROWING =
  /(?:^|\s)(?:-t|-k|-g|--grep|--fgrep|--testNamePattern|--test-name-pattern|--testPathIgnorePatterns|--testPathPattern|--exclude|--ignore|--deselect|--changed|--onlyChanged|--related|--shard|-run|--skip|--passWithNoTests|--pass-with-no-tests)(?=$|[\s=])/g;

function narrowings(command: string): number {
  return command.match(NARROWING)?.length ?? 0;
}

const RUNNER = /^(?:\S*\/)?(?:vitest|jest|mocha|ava|tap|jasmine|pytest|--test)$/;
const MAX_WORDS = 200;

/** It starts a runner of tests that looks for them itself, or everywhere. */
function ranAll(command: string): boolean {
  const words = runnerWords(command);
  return words !== undefined && !words.some(isFile);
}

function namesFiles(command: string): boolean {
  return runnerWords(command)?.some(isFile) ?? false;
}

/** What a runner of tests is told beside its options, whose values may be files too. */
function runnerWords(command: string): string[] | undefined {
  const words = command.trim().split(/\s+/).slice(0, MAX_WORDS);
  const at = words.findIndex((word) => RUNNER.test(word));
  if (at < 0) return undefined;
  const own = words.slice(at + 1);
  const end = own.findIndex((word) => /[;&|]/.test(word));
  return own
    .slice(0, end < 0 ? own.length : end)
    .filter((word, index, all) => !word.startsWith('-') && !/^--?[^=]+$/.test(all[index - 1] ?? ''));
}

function isFile(word: string): boolean {
  return /[/.]/.test(word) && word !== './...' && word !== '.' && word !== './';
}
