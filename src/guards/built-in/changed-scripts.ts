import { isObject } from '../../domain/is-object.ts';
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
    else if (narrowings(now) > narrowings(command)) changed.narrowed.push(name);
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
