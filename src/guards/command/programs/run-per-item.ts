import { parse } from 'unbash';
import { type Field, HOLE, isKnown, plainField } from '../words/field.ts';
import { type Call, loseTrack, type Program, type Programs, runShellText, runWrapped, use } from './call.ts';
import { readOptions } from './read-options.ts';

const MAX_ITEMS = 64;

/** The arguments that xargs reads from its input. */
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
  // NUL bytes are dropped from all texts here, so -0 splits at lines instead.
  const lines = options.has('0', 'null') || mark !== undefined || delimiter === '\\n';
  const separator =
    delimiter !== undefined && delimiter.length === 1 ? literal(delimiter) : lines ? /\n/ : undefined;
  const items = stdin === undefined ? [plainField(HOLE)] : itemsOf(stdin, separator);
  if (items.some(({ text }) => !isKnown(text)) || items.length > MAX_ITEMS)
    loseTrack(call, `xargs passes unknown arguments to ${words[0]?.text ?? ''}`);
  return runWithItems(call, words, items.slice(0, MAX_ITEMS), mark);
};

function literal(char: string): RegExp {
  return new RegExp(`[${char.replace(/[\\\]^-]/, '\\$&')}\\n]`);
}

/** Runs a command with the items in place of the mark, or appended without one. */
export function runWithItems(
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
  if (items.some(({ text }) => !isKnown(text))) loseTrack(call, 'parallel runs unknown words');
  const words = options.operands;
  const template = words.map(({ text }) => text).join(' ');
  return items
    .slice(0, MAX_ITEMS)
    .map(({ text }) => {
      // Without a command, each item is a command.
      if (template === '') return runShellText(call, text);
      return runShellText(
        call,
        template.includes('{}') ? template.replaceAll('{}', text) : `${template} ${text}`,
      );
    })
    .join('');
};

/** Programs that run a command for each of several items. */
export const REPEATERS: Programs = { xargs, parallel, env_parallel: parallel };
