import { isTestFile } from '../../domain/is-test-file.ts';
import { scrubSecrets } from '../../domain/secrets/scrub-secrets.ts';
import type { Action, CommandAction } from '../action.ts';
import type { Guard, Objection } from '../guard.ts';

/** More text than an agent usually writes at once. */
const MAX_ADDED = 200_000;

/** Files that usually contain fake credentials, and files with real ones that git ignores. */
const LENIENT =
  /(?:^|\/)(?:tests?|specs?|__tests__|fixtures?|__fixtures__|testdata|mocks?|__mocks__|e2e|examples?|samples?|docs?)\/|\.(?:md|mdx|rst|snap)$|(?:^|\/)\.env(?:\.|$)|\.(?:example|sample|template)$/i;

export const secrets: Guard = {
  id: 'secrets',
  summary: 'Credentials are not written into the project’s files.',
  origin: 'built-in',
  mode: 'enforce',
  drivenOnly: false,
  kinds: ['edit', 'command'],
  expires: undefined,
  judge(action) {
    for (const { path, text } of written(action)) {
      const kind = secretIn(text);
      if (kind !== undefined) return objection(path, kind);
    }
    return undefined;
  },
};

function* written(action: Action): Generator<{ path: string; text: string }> {
  if (action.kind === 'edit') {
    for (const { file, before, after } of action.files)
      if (file.inProject !== undefined && after !== undefined)
        yield { path: file.inProject, text: added(before, after) };
  }
  if (action.kind === 'command') {
    const target = action.reaches.find(({ file, mode }) => mode === 'write' && file.inProject !== undefined);
    const path = target?.file.inProject;
    if (path !== undefined) yield { path, text: printed(action) };
  }
}

/** The new lines only: existing ones are not the agent's. */
function added(before: string | undefined, after: string): string {
  if (before === undefined || before === '') return after.slice(0, MAX_ADDED);
  const [old, next] = withoutCommonEnds(before, after);
  const known = new Set(old.split('\n'));
  return next
    .split('\n')
    .filter((line) => !known.has(line))
    .join('\n')
    .slice(0, MAX_ADDED);
}

/** The lines between the common start and end of two texts, since most edits change little of a long file. */
function withoutCommonEnds(one: string, other: string): [string, string] {
  const shorter = Math.min(one.length, other.length);
  let start = commonStart(one, other, shorter);
  start = start === 0 ? 0 : one.lastIndexOf('\n', start - 1) + 1;
  let end = commonEnd(one, other, shorter - start);
  // Whole lines, since half a line may be half a credential.
  const line = one.indexOf('\n', one.length - end);
  end = line === -1 ? 0 : one.length - line;
  return [one.slice(start, one.length - end), other.slice(start, other.length - end)];
}

/** Compares blocks, which takes a tenth of the time of comparing characters. */
const BLOCK = 1024;

function commonStart(one: string, other: string, most: number): number {
  let start = 0;
  while (start + BLOCK <= most && one.slice(start, start + BLOCK) === other.slice(start, start + BLOCK))
    start += BLOCK;
  while (start < most && one.charCodeAt(start) === other.charCodeAt(start)) start += 1;
  return start;
}

function commonEnd(one: string, other: string, most: number): number {
  const block = (text: string, end: number) => text.slice(text.length - end - BLOCK, text.length - end);
  let end = 0;
  while (end + BLOCK <= most && block(one, end) === block(other, end)) end += BLOCK;
  while (end < most && one.charCodeAt(one.length - 1 - end) === other.charCodeAt(other.length - 1 - end))
    end += 1;
  return end;
}

/** The text that a command prints into files. Other arguments may need the credential. */
function printed({ analysis }: CommandAction): string {
  return analysis.invocations
    .flatMap(({ program, argv, stdin }) => {
      if (program === 'echo' || program === 'printf') return argv.slice(1);
      return (program === 'cat' || program === 'tee') && stdin !== undefined ? [stdin] : [];
    })
    .join('\n')
    .slice(0, MAX_ADDED);
}

/** The kind of a credential in a text, never the credential itself. */
export function secretIn(text: string): string | undefined {
  const scrubbed = scrubSecrets(text);
  if (scrubbed === text) return undefined;
  const before = new Set(text.match(MARKER) ?? []);
  return (
    scrubbed
      .match(MARKER)
      ?.find((marker) => !before.has(marker))
      ?.slice('[scrubbed:'.length, -1) ?? 'credential'
  );
}

const MARKER = /\[scrubbed:[a-z0-9-]{1,40}\]/g;

/** Whether credentials in this file are usually fake. */
export function mayHoldFakeSecrets(path: string): boolean {
  return LENIENT.test(path) || isTestFile(path);
}

function objection(path: string, kind: string): Objection {
  const lenient = mayHoldFakeSecrets(path);
  return {
    decision: lenient ? 'warn' : 'deny',
    reason: `This writes what looks like a credential (${kind}) to ${path}.`,
    guidance: lenient
      ? 'If it is real, replace it with an obviously fake one.'
      : 'Read it from an environment variable, and name the variable in an example file. Never commit a real credential.',
  };
}
