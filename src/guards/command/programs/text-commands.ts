import { posix } from 'node:path';
import { decodeBase64, decodeEscapes, decodeHex, formatText, translate } from '../decode-text.ts';
import { type Field, HOLE, isKnown, MARK, withoutMarks } from '../words/field.ts';
import { type Call, type Program, type Programs, use } from './call.ts';
import { readOptions } from './read-options.ts';
import { contentsOf } from './run-file.ts';

const echo: Program = ({ args }) => {
  let at = 0;
  let escapes = false;
  let newline = '\n';
  for (; /^-[neE]+$/.test(args[at]?.text ?? ''); at += 1) {
    const flags = args[at]?.text ?? '';
    if (flags.includes('e')) escapes = true;
    if (flags.includes('n')) newline = '';
  }
  const text = joined(args.slice(at));
  return (escapes ? decodeEscapes(text) : text) + newline;
};

function joined(fields: readonly Field[]): string {
  return fields
    .map(({ text, glob }) => (glob ? text.replace(/[*?]|\[[^\]]{1,64}\]/g, HOLE) : text))
    .join(' ');
}

const printf: Program = ({ args, frame, shell }) => {
  const into = args[0]?.text === '-v' ? args[1]?.text : undefined;
  const [format, ...rest] = (into === undefined ? args : args.slice(2)).filter(
    ({ text }, at) => !(at === 0 && text === '--'),
  );
  const output = formatText(
    format?.text ?? '',
    rest.map(({ text }) => text),
  );
  if (into === undefined) return output;
  shell.findings.literal(output);
  frame.scope.set(into, [output]);
  return '';
};

/** The content of the named files, or the input if none is named. */
function inputOf(call: Call, files: readonly Field[]): string {
  use(call, 'read', ...files.filter(({ text }) => text !== '-'));
  if (files.length === 0) return call.frame.stdin ?? HOLE;
  return files
    .map((file) =>
      file.text === '-' ? (call.frame.stdin ?? HOLE) : (contentsOf(call, file)?.join('\n') ?? HOLE),
    )
    .join('');
}

const cat: Program = (call) => inputOf(call, readOptions(call.args).operands);

/** Prints a part of its input in some order; the whole input is the upper bound. */
const some: Program = (call) => {
  const options = readOptions(call.args, { short: 'ncskto', long: ['lines', 'bytes', 'output', 'key'] });
  use(call, 'write', ...(call.name === 'sort' ? options.values('o', 'output') : []));
  if (call.name === 'uniq') use(call, 'write', options.operands[1]);
  const text = inputOf(call, options.operands.slice(0, call.name === 'uniq' ? 1 : undefined));
  // A few results of a search are not all of them.
  return /^(?:head|tail|shuf)$/.test(call.name) ? withoutMarks(text) : text;
};

const base64: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'wio',
    long: ['wrap'],
    flags: ['decode', 'ignore-garbage'],
  });
  const files = [...options.operands, ...(call.name === 'base64' ? options.values('i') : [])];
  use(call, 'write', ...options.values('o'));
  const text = inputOf(
    call,
    files.filter((file) => file.text !== ''),
  );
  if (options.has('d', 'D', 'decode')) return decodeBase64(text);
  return isKnown(text) ? `${Buffer.from(text).toString('base64')}\n` : HOLE;
};

const xxd: Program = (call) => {
  const options = readOptions(call.args, { short: 'clsog' });
  const [input, output] = options.operands;
  use(call, 'write', output);
  const text = inputOf(call, input === undefined ? [] : [input]);
  return options.has('r') ? (options.has('p') ? decodeHex(text) : HOLE) : HOLE;
};

const tr: Program = ({ args, frame }) => {
  const { operands, has } = readOptions(args);
  const [from, to] = operands;
  if (from === undefined || has('c', 'C', 's', 't', 'complement')) return HOLE;
  // Replacing line ends keeps the results of a search.
  if (frame.stdin?.includes(MARK) === true && /^(?:\\n|\n)$/.test(from.text)) return frame.stdin;
  return translate(frame.stdin ?? HOLE, from.text, has('d', 'delete') ? undefined : to?.text);
};

const rev: Program = (call) => {
  const text = inputOf(call, readOptions(call.args).operands);
  if (!isKnown(text)) return HOLE;
  return text
    .split('\n')
    .map((line) => [...line].reverse().join(''))
    .join('\n');
};

const dirname: Program = ({ args }) =>
  `${readOptions(args)
    .operands.map(({ text }) => (isKnown(text) || text.lastIndexOf('/') > 0 ? posix.dirname(text) : HOLE))
    .join('\n')}\n`;

const basename: Program = ({ args }) => {
  const { operands, value } = readOptions(args, { short: 's', long: ['suffix'] });
  const [path, suffix] = operands;
  return path === undefined || !isKnown(posix.basename(path.text))
    ? HOLE
    : `${posix.basename(path.text, value('s', 'suffix')?.text ?? suffix?.text ?? '')}\n`;
};

/** Makes paths absolute; does not follow links. */
const realpath: Program = (call) => {
  const { operands } = readOptions(call.args, { long: ['relative-to', 'relative-base'] });
  use(call, 'read', ...operands);
  return `${operands.map(({ text }) => (isKnown(text) ? posix.resolve(call.frame.scope.cwd, text) : text)).join('\n')}\n`;
};

const mktemp: Program = (call) => {
  const { operands, value } = readOptions(call.args, {
    short: 'p',
    attached: '',
    long: ['suffix'],
    flags: ['tmpdir', 'directory'],
  });
  const [template] = operands;
  const folder = value('p', 'tmpdir')?.text ?? '/tmp';
  const path =
    template === undefined
      ? `${folder}/tmp.made-by-mktemp`
      : `${template.text.includes('/') ? '' : `${folder}/`}${template.text}`;
  call.frame.scope.folders.add(path);
  return `${path}\n`;
};

/** Programs that print their arguments or their input. */
export const TEXT_COMMANDS: Programs = {
  echo,
  printf,
  print: echo,
  cat,
  bat: cat,
  tac: cat,
  head: some,
  tail: some,
  sort: some,
  uniq: some,
  shuf: some,
  base64,
  gbase64: base64,
  xxd,
  tr,
  rev,
  dirname,
  basename,
  realpath,
  readlink: realpath,
  mktemp,
  pwd: ({ frame }) => `${frame.scope.cwd}\n`,
  yes: () => HOLE,
  seq: () => HOLE,
  date: () => HOLE,
  whoami: () => HOLE,
  hostname: () => 'localhost\n',
  uname: () => HOLE,
  which: ({ args }) => `${args[0]?.text ?? HOLE}\n`,
};
