import type { FileSearch } from '../file-search.ts';
import { resolvePath } from '../resolve-path.ts';
import { type Field, HOLE, isKnown, plainField } from '../words/field.ts';
import { type Call, type Program, type Programs, use, useAs } from './call.ts';
import { FindTests } from './find-tests.ts';
import { readOptions } from './read-options.ts';
import { runWithItems } from './repeaters.ts';

const ENDS = new Set([';', '+', '\\;']);
const MAX_FOLDERS = 8;
const MAX_NAMES = 8;

const find: Program = (call) => {
  const { args } = call;
  let at = 0;
  while (/^-(?:[HLP]|O\d|D)$/.test(args[at]?.text ?? '')) at += args[at]?.text === '-D' ? 2 : 1;
  const folders: Field[] = [];
  while (at < args.length && !/^[-(!]/.test(args[at]?.text ?? ''))
    folders.push(args[at++] ?? plainField('.'));
  if (folders.length === 0) folders.push(plainField('.'));
  const tests = new FindTests();
  const runs: Field[][] = [];
  let deletes = false;
  for (; at < args.length; at += 1) {
    const { text } = args[at] ?? plainField('');
    if (/^-f(?:print0?|ls)$/.test(text)) use(call, 'write', args[++at]);
    else if (text === '-fprintf') {
      use(call, 'write', args[at + 1]);
      at += 2;
    } else if (text === '-delete') deletes = true;
    else if (/^-(?:exec|execdir|ok|okdir)$/.test(text)) {
      const end = args.findIndex((one, index) => index > at && ENDS.has(one.text));
      runs.push(args.slice(at + 1, end === -1 ? undefined : end));
      at = end === -1 ? args.length : end;
    } else {
      if (/^-(?:newer\w*|samefile|anewer|cnewer)$/.test(text)) use(call, 'read', args[at + 1]);
      at += tests.read(text, args[at + 1], args[at + 2]);
    }
  }
  const found = folders
    .slice(0, MAX_FOLDERS)
    .flatMap((folder) => foundIn(call, folder, tests.names(), tests.search()));
  use(call, 'read', ...folders);
  if (deletes) useAs(call, 'delete', { shallow: true }, ...found);
  for (const words of runs) for (const item of found) runWithItems(call, words, [item], '{}');
  return `${found.map(({ text }) => text).join('\n')}\n`;
};

/** The files that a search finds in a folder: one field for each name that it asks for. */
function foundIn(
  call: Call,
  { text, glob }: Field,
  names: readonly string[],
  search: Omit<FileSearch, 'folder' | 'given'>,
): Field[] {
  const folder = text === '/' ? '' : text.replace(/\/+$/, '');
  const tails =
    names.length === 0
      ? [HOLE]
      : names.map((name) => name.replace(/^[*/]+/, HOLE).replace(/[*?]|\[[^\]]{1,64}\]/g, HOLE));
  const shown = tails.slice(0, MAX_NAMES).flatMap((tail) => {
    // A name without a pattern is found at any depth; at the top is likeliest.
    const below = isKnown(tail) ? [`${folder}/${HOLE}/${tail}`] : [];
    return [`${folder}/${tail}`, ...below];
  });
  const place = glob ? undefined : resolvePath(plainField(text), call.frame.scope.cwd);
  if (place?.exact !== true) return shown.map(plainField);
  const whole = { ...search, folder: place.path, given: text };
  return shown.map((one) => plainField(call.shell.findings.markSearch(whole, one)));
}

const fd: Program = (call) => {
  const at = call.args.findIndex(({ text }) => /^(?:-x|-X|--exec|--exec-batch)$/.test(text));
  const own = at === -1 ? call.args : call.args.slice(0, at);
  const options = readOptions(own, {
    short: 'deEtSo',
    long: ['type', 'extension', 'exclude', 'max-depth', 'size', 'changed-within', 'changed-before', 'owner'],
  });
  const [pattern, ...folders] = options.operands;
  use(call, 'read', ...folders);
  const named = pattern !== undefined && !/^[.*^$]*$/.test(pattern.text);
  const narrowed = named || options.has('e', 'extension', 'S', 'size', 'changed-within', 'changed-before');
  const place = folders[0] ?? plainField('.');
  const found = narrowed
    ? [plainField(`${place.text}/${HOLE}${pattern?.text ?? ''}`)]
    : foundIn(call, place, [], {
        alternatives: [[]],
        pruned: [],
        deepest: undefined,
        hidden: options.has('H', 'u', 'hidden', 'unrestricted'),
        kind: options.value('t', 'type')?.text[0],
      });
  if (at !== -1) {
    const words = call.args.slice(at + 1);
    const marked = words.some(({ text }) => text.includes('{}'));
    runWithItems(call, marked ? words : [...words, plainField('{}')], found, '{}');
  }
  return `${found.map(({ text }) => text).join('\n')}\n`;
};

/** Names in a folder. */
const ls: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'ITw',
    long: ['ignore', 'hide', 'color', 'sort', 'time-style'],
  });
  const { operands } = options;
  use(call, 'read', ...operands);
  if (operands.length > 0)
    return operands.map(({ text, glob }) => (glob ? text.replace(/[*?]/g, HOLE) : HOLE)).join('\n');
  if (options.has('l', 'd', 'I', 'ignore', 'hide')) return `${HOLE}\n`;
  return `${allIn(call, options.has('a', 'A', 'all', 'almost-all'))}\n`;
};

/** Everything that lies directly in the folder at hand, as one text. */
export function allIn(
  call: Pick<Call, 'frame' | 'shell'>,
  hidden: boolean,
  deepest: number | undefined = 1,
): string {
  const { scope } = call.frame;
  if (scope.lost) return HOLE;
  const search = { alternatives: [[]], pruned: [], deepest, hidden, kind: undefined };
  return call.shell.findings.markSearch({ ...search, folder: scope.cwd, given: '.' }, `./${HOLE}`);
}

/** Programs that look for files, by name. */
export const SEARCHES: Programs = { find, fd, fdfind: fd, ls };
