import type { FileSearch, SearchTest } from '../file-search.ts';
import { resolvePath } from '../resolve-field.ts';
import { type Field, HOLE, isKnown, plainField } from '../words/field.ts';
import { type Call, type Program, type Programs, use, useAs } from './call.ts';
import { readOptions } from './read-options.ts';
import { runWithItems } from './run-per-item.ts';

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

/** The results of a search in a folder, one field per requested name. */
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
    // A name without wildcards may be at any depth, most likely at the top.
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

/** Everything in the current folder, as one search. */
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

/** Programs that find files, by name. */
export const SEARCHES: Programs = { find, fd, fdfind: fd, ls };

/** Conditions that take a word and leave few files. */
const CLOSE = /^-(?:inum|samefile|links|lname|ilname|fstype)$/;
/** Conditions that take a word and may leave many. */
const LOOSE =
  /^-(?:newer\w*|anewer|cnewer|mtime|atime|ctime|mmin|amin|cmin|size|user|group|uid|gid|perm|used|context)$/;
const NAMED = /^-(i?)(name|path|wholename|regex)$/;
const TAKES_WORD = /^-(?:mindepth|printf|regextype|xtype|D|files0-from)$/;

interface Group {
  not: boolean;
  alternatives: SearchTest[][];
}

/** Reads the conditions of `find`, word by word. */
class FindTests {
  readonly #groups: Group[] = [{ not: false, alternatives: [[]] }];
  readonly #pruned: SearchTest[][] = [];
  readonly #names: string[] = [];
  #negated = false;
  #deepest: number | undefined;
  #kind: string | undefined;

  /** Reads one word; returns how many of the following words belong to it. */
  read(text: string, next: Field | undefined, afterNext: Field | undefined): number {
    const value = next?.text ?? '';
    const named = NAMED.exec(text);
    if (named !== null) {
      this.#name(named[2] ?? '', named[1] !== '', value);
      return 1;
    }
    if (text === '!' || text === '-not') this.#negated = !this.#negated;
    else if (text === '(' || text === '\\(') this.#groups.push({ not: this.#takeNot(), alternatives: [[]] });
    else if (text === ')' || text === '\\)') this.#close();
    else if (/^(?:-or?|,)$/.test(text)) this.#alternatives().push([]);
    else if (text === '-prune') this.#prune(next?.text, afterNext?.text);
    else if (text === '-empty') this.#add({ type: 'limit', close: true, not: this.#takeNot() });
    else if (CLOSE.test(text) || LOOSE.test(text)) {
      this.#limit(text, value);
      return 1;
    } else if (text === '-type' || text === '-xtype') {
      const not = this.#takeNot();
      if (text === '-xtype') this.#add({ type: 'limit', close: value === 'l', not });
      else if (!not && this.#groups.length === 1 && this.#alternatives().length === 1) this.#kind = value[0];
      else if (!not && value === 'l') this.#add({ type: 'limit', close: true, not });
      return 1;
    } else if (text === '-maxdepth') {
      this.#deepest = /^\d{1,4}$/.test(value) ? Number(value) : undefined;
      return 1;
    } else if (TAKES_WORD.test(text)) return 1;
    return 0;
  }

  /** The names to find, without excluded ones. */
  names(): readonly string[] {
    return this.#names;
  }

  search(): Omit<FileSearch, 'folder' | 'given'> {
    while (this.#groups.length > 1) this.#close();
    return {
      alternatives: this.#alternatives(),
      pruned: this.#pruned,
      deepest: this.#deepest,
      hidden: true,
      kind: this.#kind,
    };
  }

  #name(on: string, anyCase: boolean, value: string): void {
    const not = this.#takeNot();
    const leftOut = not !== this.#groups.some((group) => group.not);
    if (!leftOut) this.#names.push(value);
    // A regular expression or an unknown name may match anything.
    if (on === 'regex' || !isKnown(value)) this.#add({ type: 'limit', close: true, not });
    else this.#add({ type: on === 'name' ? 'name' : 'path', pattern: value, anyCase, not });
  }

  #limit(text: string, value: string): void {
    const close = CLOSE.test(text) || (text === '-size' && /^0/.test(value));
    this.#add({ type: 'limit', close, not: this.#takeNot() });
  }

  /** `-path X -prune -o …`: excludes the preceding tests. */
  #prune(next: string | undefined, afterNext: string | undefined): void {
    const goesOn = /^-or?$/.test(next ?? '') || (next === ')' && /^-or?$/.test(afterNext ?? ''));
    if (!goesOn) return;
    const tests = this.#alternatives().pop() ?? [];
    this.#pruned.push(tests);
    for (const name of namesIn([tests])) this.#names.splice(this.#names.indexOf(name), 1);
    this.#alternatives().push([]);
  }

  #add(test: SearchTest): void {
    this.#alternatives().at(-1)?.push(test);
  }

  #close(): void {
    const closed = this.#groups.length > 1 ? this.#groups.pop() : undefined;
    if (closed) this.#add({ type: 'group', ...closed });
  }

  #alternatives(): SearchTest[][] {
    return this.#groups.at(-1)?.alternatives ?? [];
  }

  #takeNot(): boolean {
    const negated = this.#negated;
    this.#negated = false;
    return negated;
  }
}

function namesIn(alternatives: readonly (readonly SearchTest[])[]): string[] {
  return alternatives.flat().flatMap((test) => {
    if (test.not) return [];
    if (test.type === 'group') return namesIn(test.alternatives);
    return test.type === 'limit' ? [] : [test.pattern];
  });
}
