import { dirname } from 'node:path/posix';
import type { GuardDefinition } from '../../config/guard-files/guard-file.ts';
import { CONTROLLED_FIELDS } from '../../domain/feature-list/list-fields.ts';
import { isInterpreter } from '../../guards/program-kinds.ts';
import type { AttemptFacet, FieldChange, ProgramCall } from './attempt-facet.ts';

/** The matching part of a guard. */
export type GuardMatch = Pick<GuardDefinition, 'kinds' | 'paths' | 'commands' | 'tools' | 'fields'>;

const MAX_PATHS = 20;

/** What all these attempts have in common, likeliest first. Only literal values, never their patterns. */
export function guardMatches(facets: readonly AttemptFacet[], guard: string | null): GuardMatch[] {
  const kind = mostFrequentKind(facets);
  switch (kind) {
    case 'fields':
      return fieldMatches(
        ofKind(facets, 'fields').map(({ fields }) => fields),
        guard,
      );
    case 'edit':
    case 'read':
      return pathMatches(
        kind,
        ofKind(facets, kind).map(({ paths }) => paths),
      );
    case 'command':
      return commandMatches(ofKind(facets, 'command').map(({ calls }) => calls));
    case 'tool':
      return toolMatches(ofKind(facets, 'tool').map(({ name }) => name));
    case undefined:
      return [];
  }
}

const KINDS = ['fields', 'command', 'edit', 'tool', 'read'] as const;

function mostFrequentKind(facets: readonly AttemptFacet[]): AttemptFacet['kind'] | undefined {
  const often = (kind: AttemptFacet['kind']) => facets.filter((one) => one.kind === kind).length;
  const [first] = [...KINDS].sort((a, b) => often(b) - often(a));
  return first !== undefined && often(first) > 0 ? first : undefined;
}

function ofKind<Kind extends AttemptFacet['kind']>(facets: readonly AttemptFacet[], kind: Kind) {
  return facets.filter((one): one is Extract<AttemptFacet, { kind: Kind }> => one.kind === kind);
}

/** The items in every list, in the order of the first. */
function inAll<Item>(lists: readonly (readonly Item[])[], same: (one: Item, other: Item) => boolean): Item[] {
  const [first = [], ...rest] = lists;
  const shared = first.filter((item) => rest.every((list) => list.some((other) => same(item, other))));
  return shared.filter((item, at) => shared.findIndex((other) => same(item, other)) === at);
}

function fieldMatches(lists: readonly (readonly FieldChange[])[], guard: string | null): GuardMatch[] {
  const concerned = guard === 'block-tested-true' ? lists.map((list) => list.filter(isControlled)) : lists;
  const changes = inAll(concerned, (a, b) => a.field === b.field && a.to === b.to).filter(
    ({ to }) => typeof to !== 'string' || (to.length <= 200 && to.isWellFormed()),
  );
  if (changes.length > 0) return [{ fields: changes.map(({ field, to }) => ({ field, to })) }];
  const fields = inAll(concerned, (a, b) => a.field === b.field);
  return fields.length > 0 ? [{ fields: fields.map(({ field }) => ({ field })) }] : [];
}

function isControlled({ field }: FieldChange): boolean {
  return CONTROLLED_FIELDS.some((one) => one === field);
}

function pathMatches(kind: 'edit' | 'read', lists: readonly (readonly string[])[]): GuardMatch[] {
  const paths = [...new Set(lists.flat())].sort();
  const literal = literalGlobs(paths);
  if (literal.length < paths.length || paths.length === 0) return [];
  const folder = commonFolder(paths);
  return [
    ...(paths.length > 1 && folder !== undefined ? [{ kinds: [kind], paths: [`${folder}/**`] }] : []),
    ...(paths.length <= MAX_PATHS ? [{ kinds: [kind], paths: literal }] : []),
  ];
}

/** The nearest common folder; undefined if that is the project itself. */
function commonFolder(paths: readonly string[]): string | undefined {
  let folder = dirname(paths[0] ?? '');
  while (folder !== '.' && folder !== '/' && !paths.every((path) => path.startsWith(`${folder}/`)))
    folder = dirname(folder);
  return folder === '.' || folder === '/' ? undefined : folder;
}

/** Part of many commands, and never the mistake. */
const HARMLESS: ReadonlySet<string> = new Set(
  ': [ [[ basename cat cd command date dirname echo env exit export false head ls mkdir printf pwd set sleep tail test true wc which'.split(
    ' ',
  ),
);

/** Their effect depends on the command they are given. */
const SHELL = /^(?:sh|bash|dash|zsh|ksh|fish|source|\.|eval|npm|npx|pnpm|yarn|bunx|make|just|uv|uvx|poetry)$/;

/** More programs in each of several commands are a script, of which no single one is the mistake. */
const MAX_PROGRAMS = 4;

function commandMatches(lists: readonly (readonly ProgramCall[])[]): GuardMatch[] {
  const telling = lists.map((calls) => calls.filter(({ program }) => !HARMLESS.has(program)));
  return inAll(telling, (a, b) => a.program === b.program)
    .slice(0, MAX_PROGRAMS)
    .flatMap(({ program }) =>
      callMatches(
        program,
        telling.map((list) => list.filter((call) => call.program === program)),
      ),
    );
}

function callMatches(program: string, calls: readonly (readonly ProgramCall[])[]): GuardMatch[] {
  const name = literalGlob(program);
  if (name === undefined) return [];
  const subcommand = shared(calls, (call) => (call.subcommand === undefined ? [] : [call.subcommand]))[0];
  // The effect of such a program depends on its input.
  if ((SHELL.test(name) || isInterpreter({ program: name })) && subcommand === undefined) return [];
  const options = shared(calls, (call) => call.options);
  const args = shared(calls, (call) => call.args);
  const base = { program: name, ...(subcommand === undefined ? {} : { subcommand }) };
  return [
    // An option that all attempts share is part of the mistake: pushing is fine if each time the problem was the force.
    // One matching option is enough, so only a single option is more specific than the program.
    ...options.slice(0, 1).map((option) => ({ ...base, options: [option] })),
    ...(args.length > 0 ? [{ ...base, args }] : []),
    base,
  ].map((command) => ({ kinds: ['command' as const], commands: [command] }));
}

function shared(
  lists: readonly (readonly ProgramCall[])[],
  words: (call: ProgramCall) => readonly string[],
): string[] {
  return literalGlobs(
    inAll(
      lists.map((calls) => calls.flatMap(words)),
      (a, b) => a === b,
    ),
  ).slice(0, 5);
}

function toolMatches(names: readonly string[]): GuardMatch[] {
  const tools = literalGlobs(
    inAll(
      names.map((name) => [name]),
      (a, b) => a === b,
    ),
  );
  return tools.length > 0 ? [{ kinds: ['tool' as const], tools }] : [];
}

const MAX_LENGTH = 200;

/**
 * A word from a trace as a glob that matches exactly this word; undefined if impossible. A glob cannot escape a star,
 * so a word with one is skipped: it would match what nobody attempted.
 */
function literalGlob(word: string): string | undefined {
  const usable =
    word !== '' &&
    word.length <= MAX_LENGTH &&
    word.isWellFormed() &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
    !/[*?\u0000-\u001f\u007f-\u009f\u2028\u2029…]/.test(word) &&
    !word.includes('[scrubbed');
  return usable ? word : undefined;
}

function literalGlobs(words: readonly string[]): string[] {
  return words.flatMap((word) => literalGlob(word) ?? []);
}
