import { parse } from 'unbash';
import { type Field, HOLE, isKnown, plainField } from '../words/field.ts';
import { type Call, loseTrack, type Program, type Programs, runShellText, runWrapped, use } from './call.ts';
import { readOptions } from './read-options.ts';

const MAX_ITEMS = 64;

/** The words that xargs makes of its input. */
function itemsOf(text: string, separator: RegExp | undefined): Field[] {
  if (separator !== undefined)
    return text
      .split(separator)
      .filter((one) => one !== '')
      .map(plainField);
  const command =
    text.length < 16_384 && /["'\\]/.test(text)
      ? parse(`: ${text.replace(/\n/g, ' ')}`).commands[0]?.command
      : undefined;
  if (command?.type === 'Command')
    return command.suffix.map((word) =>
      plainField(word.type === 'Word' ? word.value : 'text' in word ? word.text : HOLE),
    );
  return text
    .split(/\s+/)
    .filter((one) => one !== '')
    .map(plainField);
}

const xargs: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'IdEnLPsaJR',
    attached: 'iel',
    long: ['arg-file', 'delimiter', 'max-args', 'max-procs', 'max-chars', 'process-slot-var'],
    flags: ['null', 'no-run-if-empty', 'verbose', 'replace', 'max-lines', 'eof', 'interactive', 'exit'],
    stops: true,
  });
  const file = options.value('a', 'arg-file');
  use(call, 'read', file);
  const stdin = file === undefined ? call.frame.stdin : HOLE;
  const words = options.operands.length === 0 ? [plainField('echo')] : options.operands;
  const mark =
    options.value('I', 'replace', 'i', 'J')?.text || (options.has('i', 'replace') ? '{}' : undefined);
  const delimiter = options.value('d', 'delimiter')?.text;
  // The bytes that -0 splits at are dropped from every text here, so that lines are split instead.
  const lines = options.has('0', 'null') || mark !== undefined || delimiter === '\\n';
  const separator =
    delimiter !== undefined && delimiter.length === 1 ? literal(delimiter) : lines ? /\n/ : undefined;
  const items = stdin === undefined ? [plainField(HOLE)] : itemsOf(stdin, separator);
  if (items.some(({ text }) => !isKnown(text)) || items.length > MAX_ITEMS)
    loseTrack(call, `xargs gives ${words[0]?.text ?? ''} words that are not all known`);
  return runWithItems(call, words, items.slice(0, MAX_ITEMS), mark);
};

function literal(char: string): RegExp {
  return new RegExp(`[${char.replace(/[\\\]^-]/, '\\$&')}\\n]`);
}

function runWithItems(
  call: Call,
  words: readonly Field[],
  items: readonly Field[],
  mark: string | undefined,
): string {
  if (mark === undefined) return runWrapped(call, [...words, ...items], { stdin: undefined });
  return items
    .map(({ text }) =>
      runWrapped(
        call,
        words.map((word) => ({ ...word, text: word.text.replaceAll(mark, text) })),
        { stdin: undefined },
      ),
    )
    .join('');
}

const parallel: Program = (call) => {
  const marker = call.args.findIndex(({ text }) => /^:{3,4}\+?$/.test(text));
  const own = marker === -1 ? call.args : call.args.slice(0, marker);
  const options = readOptions(own, {
    short: 'jNIaSdCnLP',
    long: [
      'jobs',
      'delay',
      'timeout',
      'joblog',
      'results',
      'arg-file',
      'colsep',
      'tmpdir',
      'max-args',
      'retries',
      'halt',
    ],
    stops: true,
  });
  use(call, 'write', ...options.values('joblog', 'results'));
  use(call, 'read', ...options.values('a', 'arg-file'));
  const given = marker === -1 ? itemsOf(call.frame.stdin ?? HOLE, /\n/) : call.args.slice(marker + 1);
  const items = call.args[marker]?.text.startsWith('::::') === true ? [plainField(HOLE)] : given;
  if (items.some(({ text }) => !isKnown(text))) loseTrack(call, 'parallel runs words that are not all known');
  const words = options.operands;
  const template = words.map(({ text }) => text).join(' ');
  return items
    .slice(0, MAX_ITEMS)
    .map(({ text }) => {
      // Without a command, each item is one.
      if (template === '') return runShellText(call, text);
      return runShellText(
        call,
        template.includes('{}') ? template.replaceAll('{}', text) : `${template} ${text}`,
      );
    })
    .join('');
};

const ENDS = new Set([';', '+', '\\;']);

const find: Program = (call) => {
  const { args } = call;
  let at = 0;
  while (/^-(?:[HLP]|O\d|D)$/.test(args[at]?.text ?? '')) at += args[at]?.text === '-D' ? 2 : 1;
  const folders: Field[] = [];
  while (at < args.length && !/^[-(!]/.test(args[at]?.text ?? ''))
    folders.push(args[at++] ?? plainField('.'));
  if (folders.length === 0) folders.push(plainField('.'));
  const asked = new AskedNames();
  const runs: Field[][] = [];
  let deletes = false;
  for (; at < args.length; at += 1) {
    const { text } = args[at] ?? plainField('');
    if (/^-(?:i?name|i?path|i?wholename|i?regex)$/.test(text)) asked.name(args[++at] ?? plainField(''));
    else if (/^-f(?:print0?|ls)$/.test(text)) use(call, 'write', args[++at]);
    else if (text === '-fprintf') {
      use(call, 'write', args[at + 1]);
      at += 2;
    } else if (/^-(?:newer\w*|samefile|anewer|cnewer)$/.test(text)) use(call, 'read', args[++at]);
    else if (text === '-delete') deletes = true;
    else if (/^-(?:exec|execdir|ok|okdir)$/.test(text)) {
      const end = args.findIndex((one, index) => index > at && ENDS.has(one.text));
      runs.push(args.slice(at + 1, end === -1 ? undefined : end));
      at = end === -1 ? args.length : end;
    } else if (text === '-prune') {
      if (/^-or?$/.test(args[at + 1]?.text ?? '')) asked.leaveOutLast();
    } else asked.sign(text);
  }
  const found = foundBy(folders, asked.names());
  use(call, 'read', ...folders);
  if (deletes) use(call, 'delete', ...found);
  for (const words of runs) for (const item of found) runWithItems(call, words, [item], '{}');
  return `${found.map(({ text }) => text).join('\n')}\n`;
};

/** The names that find asks for, without those that it asks not to be: `-not -path X`, `! ( … )`, `-path X -prune -o`. */
class AskedNames {
  /** Each is a pair of brackets, the outermost for all. */
  readonly #groups: { leftOut: boolean; alternatives: Field[][] }[] = [
    { leftOut: false, alternatives: [[]] },
  ];
  #negated = false;

  name(name: Field): void {
    if (!this.#takeNegation()) this.#alternatives().at(-1)?.push(name);
  }

  /** What is no question about names, but may tell which of them count. */
  sign(text: string): void {
    if (text === '!' || text === '-not') this.#negated = true;
    else if (text === '(') this.#groups.push({ leftOut: this.#takeNegation(), alternatives: [[]] });
    else if (text === ')') this.#close();
    else if (/^(?:-or?|,)$/.test(text)) this.#alternatives().push([]);
    else if (text.startsWith('-')) this.#negated = false;
  }

  /** What stands before a `-prune`, after which others are looked for. */
  leaveOutLast(): void {
    this.#alternatives().pop();
    this.#alternatives().push([]);
  }

  names(): Field[] {
    while (this.#groups.length > 1) this.#close();
    return this.#alternatives().flat();
  }

  #close(): void {
    const closed = this.#groups.length > 1 ? this.#groups.pop() : undefined;
    if (closed && !closed.leftOut)
      this.#alternatives()
        .at(-1)
        ?.push(...closed.alternatives.flat());
  }

  #alternatives(): Field[][] {
    return this.#groups.at(-1)?.alternatives ?? [];
  }

  #takeNegation(): boolean {
    const negated = this.#negated;
    this.#negated = false;
    return negated;
  }
}

/** The files that find may find, as patterns. */
function foundBy(folders: readonly Field[], names: readonly Field[]): Field[] {
  const tails =
    names.length === 0
      ? [HOLE]
      : names.map(({ text }) => text.replace(/^[*/]+/, HOLE).replace(/[*?]/g, HOLE));
  return folders.slice(0, 8).flatMap(({ text }) =>
    tails.slice(0, 8).flatMap((tail) => {
      const folder = text === '/' ? '' : text.replace(/\/+$/, '');
      // A name without a pattern is found at any depth; at the top is likeliest.
      const below = isKnown(tail) ? [`${folder}/${HOLE}/${tail}`] : [];
      return [`${folder}/${tail}`, ...below].map(plainField);
    }),
  );
}

const fd: Program = (call) => {
  const at = call.args.findIndex(({ text }) => /^(?:-x|-X|--exec|--exec-batch)$/.test(text));
  const { operands } = readOptions(at === -1 ? call.args : call.args.slice(0, at), { short: 'deEtSo' });
  const folders = operands.slice(1);
  use(call, 'read', ...folders);
  const found = plainField(`${folders[0]?.text ?? '.'}/${HOLE}${operands[0]?.text ?? ''}`);
  if (at !== -1) {
    const words = call.args.slice(at + 1);
    const marked = words.some(({ text }) => text.includes('{}'));
    runWithItems(call, marked ? words : [...words, plainField('{}')], [found], '{}');
  }
  return `${found.text}\n`;
};

/** Programs that run a command for each of many things. */
export const REPEATERS: Programs = { xargs, parallel, env_parallel: parallel, find, fd, fdfind: fd };
