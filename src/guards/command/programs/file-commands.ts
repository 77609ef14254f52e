import { posix } from 'node:path';
import type { PathMode } from '../command-analysis.ts';
import { resolvePath } from '../resolve-field.ts';
import { type Field, HOLE, isKnown, MARK, withoutMarks } from '../words/field.ts';
import { type Call, type Program, type Programs, use, useAs } from './call.ts';
import { type OptionShape, readOptions } from './read-options.ts';
import { contentsOf } from './run-file.ts';

/** A program that uses all its operands in the same way. */
function each(mode: PathMode, shape: OptionShape = {}, skip = 0): Program {
  return (call) => {
    const { operands, values } = readOptions(call.args, shape);
    use(call, mode, ...operands.slice(skip));
    // chmod and chown can copy permissions and owners from another file.
    use(call, 'read', ...values('reference'));
    return '';
  };
}

/** A program that only reads its operands. */
function reader(shape: OptionShape = {}, skip = 0): Program {
  return (call) => {
    const options = readOptions(call.args, shape);
    use(call, 'read', ...options.operands.slice(skip));
    return HOLE;
  };
}

/** Records the destinations of copies: the target itself, or files of the same names in it. */
function land(call: Call, sources: readonly Field[], target: Field, isFolder: boolean): void {
  if (!isFolder || sources.length === 0) use(call, 'write', target);
  for (const { text, glob } of sources) {
    const name = posix.basename(text);
    if (name === '' || name === '.' || name === '..') use(call, 'write', target);
    else {
      // The names that a pattern matches in another folder are unknown.
      const landed = glob ? name.replace(/[*?]|\[[^\]]{1,64}\]/g, HOLE) : name;
      use(call, 'write', { text: `${target.text.replace(/\/+$/, '')}/${landed}`, glob: target.glob });
    }
  }
}

const TRANSFER: OptionShape = {
  short: 'tSgomZ',
  long: ['target-directory', 'suffix', 'mode', 'owner', 'group'],
  flags: [
    'no-target-directory',
    'backup',
    'recursive',
    'parents',
    'force',
    'preserve',
    'symbolic',
    'relative',
  ],
};

function transfer(source: PathMode): Program {
  return (call) => {
    const options = readOptions(call.args, call.name === 'install' ? TRANSFER : { ...TRANSFER, short: 'tS' });
    const { operands } = options;
    if (call.name === 'install' && options.has('d', 'directory')) {
      use(call, 'write', ...operands);
      return '';
    }
    const into = options.value('t', 'target-directory');
    const sources = into === undefined ? operands.slice(0, -1) : operands;
    const target = into ?? operands.at(-1);
    // `mv "$f" "${f// /_}"` in a loop renames files, most of them to the same name.
    const renames = target !== undefined && !isKnown(target.text);
    const plain = ({ text, glob }: Field): Field =>
      renames && call.shell.findings.searchOf(text)?.search.deepest === 1
        ? { text: withoutMarks(text), glob }
        : { text, glob };
    use(call, source, ...sources.map(plain));
    if (target === undefined) return '';
    const isFolder = into !== undefined || target.text.endsWith('/') || sources.length > 1;
    land(call, sources, target, isFolder);
    if (!isFolder && sources[0]?.text === '/dev/null') useAs(call, 'write', { empties: true }, target);
    if (!isFolder) copyContent(call, sources[0], target);
    return '';
  };
}

/** Carries known content over to the copy. */
function copyContent(call: Call, source: Field | undefined, target: Field): void {
  const contents = source === undefined ? undefined : contentsOf(call, source);
  const path = resolvePath(target, call.frame.scope.cwd);
  for (const content of contents ?? [])
    if (path !== undefined) call.frame.scope.writeFile(path.path, content);
}

const ln: Program = (call) => {
  const options = readOptions(call.args, { ...TRANSFER, short: 'tS' });
  const { operands } = options;
  const into = options.value('t', 'target-directory');
  const targets = into === undefined && operands.length > 1 ? operands.slice(0, -1) : operands;
  const place = into ?? (operands.length > 1 ? operands.at(-1) : { text: '.', glob: false });
  use(call, 'mention', ...targets);
  if (place === undefined) return '';
  land(call, targets, place, into !== undefined || place.text.endsWith('/') || place.text === '.');
  const { scope } = call.frame;
  for (const target of targets) {
    const link = resolvePath(place, scope.cwd);
    // A symbolic link is relative to its own folder.
    const from =
      options.has('s', 'symbolic') && !options.has('r') && link !== undefined
        ? posix.dirname(link.path)
        : scope.cwd;
    const path = resolvePath(target, from);
    if (link === undefined || path === undefined || link.path === path.path) continue;
    scope.links.set(link.path, path.path);
    scope.links.set(posix.join(link.path, posix.basename(target.text)), path.path);
  }
  return '';
};

const tee: Program = (call) => {
  const { operands } = readOptions(call.args, { long: ['output-error'] });
  use(call, 'write', ...operands);
  for (const field of operands) {
    const path = resolvePath(field, call.frame.scope.cwd);
    if (path !== undefined && !path.glob) call.frame.scope.writeFile(path.path, call.frame.stdin ?? HOLE);
  }
  return call.frame.stdin ?? HOLE;
};

const dd: Program = (call) => {
  for (const { text, glob } of call.args) {
    if (text.startsWith('of=')) use(call, 'write', { text: text.slice(3), glob });
    if (text.startsWith('if=')) use(call, 'read', { text: text.slice(3), glob });
  }
  return call.frame.stdin ?? HOLE;
};

const split: Program = (call) => {
  const [input, prefix] = readOptions(call.args, {
    short: 'abClnt',
    long: ['bytes', 'lines', 'suffix-length'],
  }).operands;
  use(call, 'read', input);
  if (prefix !== undefined) use(call, 'write', { text: `${prefix.text}*`, glob: true });
  return '';
};

const GREP: OptionShape = {
  short: 'efABCmdDgtT',
  long: [
    'regexp',
    'file',
    'include',
    'exclude',
    'exclude-dir',
    'glob',
    'type',
    'max-count',
    'context',
    'after-context',
    'before-context',
    'replace',
    'type-not',
    'iglob',
    'max-depth',
    'sort',
    'color',
    'pre',
  ],
};

const grep: Program = (call) => {
  const options = readOptions(call.args, GREP);
  const { stdin } = call.frame;
  const leavesOut = options.has('v', 'invert-match') && options.operands.length < 2;
  // Filtering out a few lines leaves almost all results of a search.
  if (leavesOut && stdin?.includes(MARK) === true) return call.shell.findings.unnamedSearches(stdin);
  use(call, 'read', ...options.values('f', 'file'));
  const patterned = options.has('e', 'regexp', 'f', 'file', 'files', 'type-list');
  const files = options.operands.slice(patterned ? 0 : 1);
  use(call, 'read', ...files);
  const pre = options.value('pre');
  if (pre !== undefined) call.shell.runFields([pre], call.frame);
  // With -l it prints names below the searched paths.
  return files.map(({ text }) => `${text}/${HOLE}`).join('\n') || HOLE;
};

const jq: Program = (call) => {
  // These take a name and a value; `readOptions` supports only one value.
  const pairs = new Set(['--arg', '--argjson', '--slurpfile', '--rawfile']);
  const args = call.args.filter(
    (_, at) => ![at, at - 1, at - 2].some((one) => pairs.has(call.args[one]?.text ?? '')),
  );
  for (const [at, { text }] of call.args.entries())
    if (text === '--slurpfile' || text === '--rawfile') use(call, 'read', call.args[at + 2]);
  const options = readOptions(args, { short: 'fL', long: ['from-file', 'indent'] });
  const inPlace = call.name === 'yq' && options.has('i', 'in-place', 'inplace');
  use(call, 'read', ...options.values('f', 'from-file'));
  const paths = options.operands.slice(options.has('f', 'from-file') ? 0 : 1);
  use(call, inPlace ? 'write' : 'read', ...paths);
  return HOLE;
};

const rights: OptionShape = { long: ['reference', 'from'] };

/** Programs for files, by name. */
export const FILE_COMMANDS: Programs = {
  cp: transfer('read'),
  mv: transfer('delete'),
  install: transfer('read'),
  ln,
  link: ln,
  tee,
  sponge: tee,
  dd,
  split,
  csplit: reader({ short: 'bfn' }),
  fallocate: each('write', { short: 'lo', long: ['length', 'offset'] }),
  touch: each('write', { short: 'dtrA', long: ['date', 'reference', 'time'] }),
  mkfifo: each('write', { short: 'm', long: ['mode'] }),
  mknod: each('write', { short: 'm', long: ['mode'] }),
  chmod: each('write', rights, 1),
  chown: each('write', rights, 1),
  chgrp: each('write', rights, 1),
  chattr: each('write', { short: 'pv' }, 1),
  setfacl: each('write', { short: 'mxMX' }),
  setfattr: each('write', { short: 'nvx' }),
  xattr: each('write', {}, 1),
  mount: each('mention', { short: 'tOoL' }),
  umount: each('mention'),
  less: reader(),
  more: reader(),
  wc: reader(),
  diff: reader({ short: 'CUIxXWL' }),
  cmp: reader({ short: 'in' }),
  comm: reader(),
  stat: reader({ short: 'cf', long: ['format', 'printf'] }),
  file: reader({ short: 'mefF' }),
  du: reader({ short: 'dBtX' }),
  df: reader(),
  tree: reader({ short: 'LPI' }),
  md5sum: reader(),
  sha1sum: reader(),
  sha256sum: reader(),
  sha512sum: reader(),
  shasum: reader({ short: 'a' }),
  cksum: reader(),
  b2sum: reader(),
  nl: reader({ short: 'bdfhilnsvw' }),
  od: reader({ short: 'AjNtSw' }),
  hexdump: reader({ short: 'eflnsC' }),
  strings: reader({ short: 'net' }),
  cut: reader({ short: 'bcdf', long: ['delimiter', 'fields'] }),
  column: reader({ short: 'tscNo' }),
  paste: reader({ short: 'd' }),
  join: reader({ short: 'aejotv12' }),
  fold: reader({ short: 'w' }),
  fmt: reader({ short: 'w' }),
  expand: reader({ short: 't' }),
  zcat: reader(),
  zless: reader(),
  xmllint: reader({ long: ['xpath', 'schema'] }),
  grep,
  egrep: grep,
  fgrep: grep,
  zgrep: grep,
  rg: grep,
  ag: grep,
  ack: grep,
  jq,
  yq: jq,
};
