import type { ParsedScript } from 'unbash';
import type { PathMode, PathUse } from '../command-analysis.ts';
import type { Findings } from '../command-findings.ts';
import type { FileSearch } from '../file-search.ts';
import { resolvePath } from '../resolve-field.ts';
import type { WordContext } from '../words/expand-word.ts';
import { type Field, HOLE } from '../words/field.ts';
import type { Frame } from './scope.ts';

/** Simulates commands and returns their output; HOLE stands for unknown text. */
export interface Shell {
  readonly findings: Findings;
  readonly root: string | undefined;
  runParsed(script: ParsedScript, frame: Frame): string;
  /** Runs a text as a shell would. */
  runText(text: string, frame: Frame): string;
  /** Runs one command with expanded words. */
  runFields(fields: readonly Field[], frame: Frame): string;
  usePath(mode: PathMode, text: Field, by: string, frame: Frame, more?: UseDetails): void;
  /** Records that something cannot be followed, and every name in it. */
  loseTrack(why: string, frame: Frame): void;
}

export type UseDetails = Pick<PathUse, 'shallow' | 'empties'>;

/** Records a path from every possible current folder, and its targets through links that this command created. */
export function usePath(
  mode: PathMode,
  given: Field,
  by: string,
  frame: Frame,
  findings: Findings,
  more: UseDetails = {},
): void {
  const found = findings.searchOf(given.text);
  const field = { ...given, text: found?.shown ?? findings.withoutSearches(given.text) };
  const details = { ...more, ...(found === undefined ? {} : { search: found.search }) };
  findings.literal(field.text);
  const { scope } = frame;
  const relative = !field.text.startsWith('/');
  for (const [index, cwd] of scope.cwds.entries()) {
    if (index > 0 && !relative) break;
    const found = resolvePath(field, cwd) ?? (details.search && placeOf(details.search));
    if (found === undefined || found.path.startsWith('/dev/fd/')) continue;
    const exact = found.exact && index === 0 && !(relative && scope.lost);
    const use = { ...found, mode, by, exact, ...details };
    if (!exact) Object.assign(use, { guess: found.exact ? 'place' : 'piece' });
    findings.use({ ...use });
    const through = throughLinks(found.path, scope.links);
    if (through !== undefined) findings.use({ ...use, path: through });
  }
}

function placeOf({ folder }: FileSearch) {
  return { path: `${folder === '/' ? '' : folder}/*`, glob: true, exact: false };
}

function throughLinks(path: string, links: ReadonlyMap<string, string>): string | undefined {
  if (links.size === 0) return undefined;
  let current = path;
  for (let hops = 0; hops < 8; hops += 1) {
    const next = oneHop(current, links);
    if (next === undefined) return hops === 0 ? undefined : current;
    current = next;
  }
  return current;
}

function oneHop(path: string, links: ReadonlyMap<string, string>): string | undefined {
  for (const [link, target] of links)
    if (path === link || path.startsWith(`${link}/`)) return target + path.slice(link.length);
  return undefined;
}

/** The context for expanding the words of a command. */
export function wordContext(shell: Shell, frame: Frame): WordContext {
  const inner = { ...frame, depth: frame.depth + 1, stdin: undefined };
  return {
    scope: frame.scope,
    substitute: (script) => shell.runParsed(script, { ...inner, scope: frame.scope.fork() }),
    process: (script, operator) => {
      const stdin = operator === '>' ? HOLE : undefined;
      const output = shell.runParsed(script, { ...inner, scope: frame.scope.fork(), stdin });
      // A path for the pipe, to find its content again.
      const path = `/dev/fd/substitution-${frame.scope.files.size}`;
      frame.scope.writeFile(path, output);
      return path;
    },
    step: () => shell.findings.step(frame.depth),
    choose: (name) => frame.scope.values(name)[0] ?? HOLE,
  };
}
