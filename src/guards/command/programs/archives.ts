import { HOLE, plainField } from '../words/field.ts';
import { type Program, type Programs, runShellText, use, useAs } from './call.ts';
import { appliedPatch, patchedFiles } from './patched-files.ts';
import { type OptionShape, readOptions } from './read-options.ts';

const TAR: OptionShape = {
  short: 'fCTXbgIKLNVF',
  long: [
    'file',
    'directory',
    'files-from',
    'exclude',
    'exclude-from',
    'transform',
    'xform',
    'strip-components',
    'to-command',
    'use-compress-program',
    'checkpoint-action',
    'owner',
    'group',
    'mode',
    'one-top-level',
    'rsh-command',
    'info-script',
    'new-volume-script',
  ],
  flags: [
    'extract',
    'get',
    'create',
    'list',
    'append',
    'update',
    'gzip',
    'overwrite',
    'absolute-names',
    'remove-files',
    'to-stdout',
  ],
};

const tar: Program = (call) => {
  // The first word may be letters without a dash, followed by their values in order.
  const [first, ...rest] = call.args;
  const old = first !== undefined && /^[A-Za-z]+$/.test(first.text);
  const takes = old ? [...first.text].filter((letter) => TAR.short?.includes(letter)) : [];
  const flags = old
    ? [...first.text].filter((letter) => !takes.includes(letter)).map((letter) => plainField(`-${letter}`))
    : [];
  const spelled = takes.flatMap((letter, at) => [plainField(`-${letter}`), rest[at] ?? plainField('')]);
  const args = old ? [...flags, ...spelled, ...rest.slice(takes.length)] : call.args;
  const options = readOptions(args, TAR);
  for (const { text } of options.values(
    'to-command',
    'I',
    'use-compress-program',
    'F',
    'info-script',
    'new-volume-script',
    'rsh-command',
  ))
    runShellText(call, text);
  for (const { text } of options.values('checkpoint-action'))
    if (text.startsWith('exec=')) runShellText(call, text.slice(5));
  const archive = options.value('f', 'file');
  const folder = options.value('C', 'directory') ?? plainField('.');
  use(call, 'read', ...options.values('T', 'files-from', 'X', 'exclude-from'));
  if (options.has('x', 'extract', 'get')) {
    use(call, 'read', archive);
    if (options.has('O', 'to-stdout')) return HOLE;
    use(call, 'write', folder);
    for (const { text, glob } of options.operands)
      use(call, 'write', { text: `${folder.text}/${text}`, glob });
    call.shell.findings.unclear(`tar unpacks ${archive?.text ?? 'its input'}`);
  } else if (options.has('c', 'create', 'r', 'append', 'u', 'update')) {
    use(call, 'write', archive);
    use(call, options.has('remove-files') ? 'delete' : 'read', ...options.operands);
  } else use(call, 'read', archive);
  return HOLE;
};

const unzip: Program = (call) => {
  const options = readOptions(call.args, { short: 'dxP' });
  const [archive, ...members] = options.operands;
  use(call, 'read', archive);
  if (options.has('l', 't', 'v', 'p', 'Z')) return HOLE;
  const folder = options.value('d') ?? plainField('.');
  use(call, 'write', folder);
  for (const { text, glob } of members) use(call, 'write', { text: `${folder.text}/${text}`, glob });
  call.shell.findings.unclear(`unzip unpacks ${archive?.text ?? ''}`);
  return '';
};

const zip: Program = (call) => {
  const options = readOptions(call.args, { short: 'bniPtx', long: ['unzip-command'] });
  const [archive, ...members] = options.operands;
  use(call, 'write', archive);
  use(call, options.has('m', 'move') ? 'delete' : 'read', ...members);
  for (const { text } of [...options.values('unzip-command'), ...options.values('TT')])
    runShellText(call, text);
  return '';
};

/** Replaces each file with its packed or unpacked version. */
const inPlace: Program = (call) => {
  const options = readOptions(call.args, { short: 'S', long: ['suffix'] });
  const keeps = options.has('c', 'k', 'stdout', 'to-stdout', 'keep', 'l', 't', 'list', 'test');
  // Skips folders unless recursive.
  if (keeps) use(call, 'read', ...options.operands);
  else useAs(call, 'delete', options.has('r', 'recursive') ? {} : { shallow: true }, ...options.operands);
  if (!options.has('c', 'stdout', 'to-stdout', 'l', 't'))
    for (const { text, glob } of options.operands)
      use(call, 'write', {
        text: /\.(?:gz|bz2|xz|zst|lz4)$/.test(text) ? text.replace(/\.\w+$/, '') : `${text}.*`,
        glob,
      });
  return HOLE;
};

const cpio: Program = (call) => {
  const options = readOptions(call.args, { short: 'DFIOEHR', long: ['directory', 'file'] });
  use(call, options.has('o') ? 'write' : 'read', ...options.values('F', 'file', 'I', 'O'));
  if (options.has('i', 'p', 'extract')) {
    use(call, 'write', options.value('D', 'directory') ?? options.operands[0] ?? plainField('.'));
    call.shell.findings.unclear('cpio unpacks its input');
  }
  return HOLE;
};

const patch: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'pidoDFrgVYBz',
    long: ['strip', 'input', 'directory', 'output', 'reject-file', 'fuzz'],
  });
  const input = options.value('i', 'input') ?? options.operands[1];
  const folder = options.value('d', 'directory');
  use(call, 'read', input);
  use(call, 'write', ...options.values('o', 'output', 'r', 'reject-file'), options.operands[0]);
  if (options.has('dry-run')) return HOLE;
  if (folder !== undefined) use(call, 'mention', folder);
  patchedFiles(call, input === undefined ? [] : [input], options.value('p', 'strip')?.text, folder?.text);
  return '';
};

/** Programs that pack, unpack and patch. */
export const ARCHIVES: Programs = {
  tar,
  bsdtar: tar,
  gtar: tar,
  unzip,
  '7z': (call) => {
    for (const { text, glob } of call.args)
      if (text.startsWith('-o')) use(call, 'write', { text: text.slice(2), glob });
    use(call, 'mention', ...readOptions(call.args).operands.slice(1));
    call.shell.findings.unclear('7z unpacks or packs');
    return HOLE;
  },
  zip,
  gzip: inPlace,
  gunzip: inPlace,
  bzip2: inPlace,
  bunzip2: inPlace,
  xz: inPlace,
  unxz: inPlace,
  zstd: inPlace,
  cpio,
  patch,
  apply_patch: appliedPatch,
  applypatch: appliedPatch,
};
