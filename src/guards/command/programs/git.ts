import { type Field, HOLE, isKnown, plainField } from '../words/field.ts';
import { type Call, type Program, type Programs, runShellText, runWrapped, use } from './call.ts';
import { configFile, hasWriteFlag, useSetting } from './git-config.ts';
import { patchedFiles } from './patched-files.ts';
import { readOptions } from './read-options.ts';
import { allIn } from './searches.ts';
import { inFolder } from './wrappers.ts';

type Subcommand = (call: Call, args: readonly Field[]) => string;

const git: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'Cc',
    long: ['git-dir', 'work-tree', 'namespace', 'exec-path', 'config-env', 'super-prefix', 'attr-source'],
    flags: ['no-pager', 'paginate', 'bare', 'no-replace-objects', 'literal-pathspecs', 'version', 'help'],
    stops: true,
  });
  use(call, 'mention', ...options.values('git-dir', 'work-tree'));
  let own = call;
  for (const folder of options.values('C'))
    own = { ...own, frame: { ...own.frame, ...inFolder(own, folder) } };
  const aliases = new Map<string, string>();
  for (const { text } of options.values('c')) {
    const equals = text.indexOf('=');
    const name = equals === -1 ? text : text.slice(0, equals);
    const value = equals === -1 ? '' : text.slice(equals + 1);
    if (/^alias\./i.test(name)) aliases.set(name.slice(6), value);
    else useSetting(own, name, value);
  }
  const [subcommand, ...args] = options.operands;
  if (subcommand === undefined) return HOLE;
  const alias = aliases.get(subcommand.text);
  if (alias !== undefined) return runAlias(own, alias, args);
  const known = Object.hasOwn(SUBCOMMANDS, subcommand.text) ? SUBCOMMANDS[subcommand.text] : undefined;
  if (known !== undefined) return known(own, args);
  readPathspecs(own, args);
  return HOLE;
};

function runAlias(call: Call, alias: string, args: readonly Field[]): string {
  if (alias.startsWith('!')) {
    use(call, 'mention', ...args);
    return runShellText(call, alias.slice(1));
  }
  return runWrapped(call, [plainField('git'), ...alias.split(/\s+/).map(plainField), ...args]);
}

/** The words after `--`, or all operands without it. */
function pathspecs(args: readonly Field[]): Field[] {
  const end = args.findIndex(({ text }) => text === '--');
  const list = end === -1 ? readOptions(args).operands : args.slice(end + 1);
  return list.map(({ text, glob }) => {
    // Pathspec magic such as :(top), :/ and :! precedes the path.
    const magic = /^:(?:\([^)]{0,100}\)|[/!^]{1,3})/.exec(text)?.[0] ?? '';
    return { text: text.slice(magic.length), glob: glob || /[*?[]/.test(text) };
  });
}

function readPathspecs(call: Call, args: readonly Field[]): void {
  // A revision with a path reads the committed version, but still names the path.
  for (const field of pathspecs(args)) {
    const colon = field.text.indexOf(':');
    const path = colon > 0 ? { ...field, text: field.text.slice(colon + 1) } : field;
    if (/[/.]/.test(path.text)) use(call, 'read', path);
  }
  const options = readOptions(args, { short: 'o', long: ['output', 'output-directory'] });
  use(call, 'write', ...options.values('output', 'output-directory'));
}

const reading: Subcommand = (call, args) => {
  readPathspecs(call, args);
  return HOLE;
};

const restoring: Subcommand = (call, args) => {
  const options = readOptions(args, {
    short: 'sbBc',
    long: ['source', 'pathspec-from-file', 'orphan', 'conflict'],
  });
  use(call, 'read', ...options.values('pathspec-from-file'));
  const end = args.findIndex(({ text }) => text === '--');
  if (end !== -1) use(call, 'write', ...pathspecs(args));
  else if (!options.has('b', 'B', 'orphan', 'c'))
    // A branch name with a slash is recorded as a path that does not exist, which is harmless.
    for (const field of options.operands) use(call, 'write', field);
  return '';
};

const resetting: Subcommand = (call, args) => {
  if (args.some(({ text }) => text === '--hard' || text === '--merge' || text === '--keep'))
    use(call, 'mention', plainField('.'));
  else readPathspecs(call, args);
  return '';
};

const removing: Subcommand = (call, args) => {
  const options = readOptions(args, { long: ['pathspec-from-file'], flags: ['cached'] });
  use(call, options.has('cached') ? 'mention' : 'delete', ...pathspecs(args));
  return '';
};

const moving: Subcommand = (call, args) => runWrapped(call, [plainField('mv'), ...args]);

const cleaning: Subcommand = (call, args) => {
  const options = readOptions(args, { short: 'e', long: ['exclude'] });
  if (options.has('n', 'dry-run')) return HOLE;
  use(call, 'delete', ...(options.operands.length === 0 ? [plainField('.')] : options.operands));
  return '';
};

const applying: Subcommand = (call, args) => {
  const options = readOptions(args, { short: 'pC', long: ['directory', 'exclude', 'include', 'whitespace'] });
  use(call, 'read', ...options.operands);
  if (options.has('check', 'stat', 'numstat', 'summary') && !options.has('apply')) return HOLE;
  patchedFiles(call, options.operands, options.value('p')?.text, options.value('directory')?.text);
  return '';
};

const configuring: Subcommand = (call, args) => {
  const options = readOptions(args, {
    short: 'ft',
    long: ['file', 'type', 'default', 'blob', 'value', 'comment'],
  });
  const verbs = new Set([
    'set',
    'get',
    'list',
    'unset',
    'edit',
    'rename-section',
    'remove-section',
    'get-all',
  ]);
  const [first, ...others] = options.operands;
  const verb = verbs.has(first?.text ?? '') ? first?.text : undefined;
  const [name, value] = verb === undefined ? options.operands : others;
  const reads =
    verb === 'get' ||
    verb === 'list' ||
    verb === 'get-all' ||
    options.has('get', 'list', 'l', 'get-all', 'get-regexp', 'get-urlmatch', 'show-origin');
  const file = configFile(call, options);
  use(
    call,
    reads || (value === undefined && verb === undefined && !hasWriteFlag(options)) ? 'read' : 'write',
    file,
  );
  if (name !== undefined && value !== undefined && !reads)
    useSetting(call, name.text, isKnown(value.text) ? value.text : HOLE);
  return HOLE;
};

const committing: Subcommand = (call, args) => {
  const options = readOptions(args, {
    short: 'mFCcft',
    long: [
      'message',
      'file',
      'author',
      'date',
      'template',
      'trailer',
      'fixup',
      'squash',
      'reuse-message',
      'cleanup',
      'pathspec-from-file',
    ],
  });
  use(
    call,
    'read',
    ...options.values('F', 'file', 't', 'template').filter(({ text }) => text !== '-'),
    ...options.operands,
  );
  return HOLE;
};

/** Runs the command after `run`, `foreach` or an option. */
const running: Subcommand = (call, args) => {
  const options = readOptions(args, {
    short: 'x',
    long: [
      'exec',
      'tree-filter',
      'index-filter',
      'msg-filter',
      'env-filter',
      'commit-filter',
      'parent-filter',
      'tag-name-filter',
      'setup',
      'extcmd',
    ],
    stops: false,
  });
  for (const { text } of options.values(
    'x',
    'exec',
    'extcmd',
    'tree-filter',
    'index-filter',
    'msg-filter',
    'env-filter',
    'commit-filter',
    'parent-filter',
    'tag-name-filter',
    'setup',
  ))
    runShellText(call, text);
  const at = args.findIndex(({ text }) => text === 'run' || text === 'foreach');
  if (at === -1) return HOLE;
  const words = args.slice(at + 1).filter(({ text }, index) => !(index === 0 && text === '--recursive'));
  return args[at]?.text === 'run'
    ? runWrapped(call, words)
    : runShellText(call, words.map(({ text }) => text).join(' '));
};

const making: Subcommand = (call, args) => {
  const options = readOptions(args, {
    short: 'bBo',
    long: ['template', 'separate-git-dir', 'branch', 'depth', 'reference', 'output', 'prefix', 'format'],
  });
  use(
    call,
    'write',
    ...options.values('output', 'separate-git-dir'),
    ...(options.has('o') ? options.values('o') : []),
  );
  use(call, 'read', ...options.values('template'));
  const folders = options.operands.filter(
    ({ text }) => !/:\/\/|^(?:add|remove|move|list|prune|create|unbundle)$|@.*:/.test(text),
  );
  use(call, 'mention', ...folders);
  return HOLE;
};

const parsing: Subcommand = (call, args) => {
  const [first] = args;
  if (first?.text === '--show-toplevel') return `${call.shell.root ?? HOLE}\n`;
  if (first?.text === '--git-dir') return '.git\n';
  return HOLE;
};

const listing: Subcommand = (call, args) => {
  readPathspecs(call, args);
  const named = pathspecs(args).filter(({ text }) => text !== '');
  if (args.every(({ text }) => text === '-z')) return `${allIn(call, true, undefined)}\n`;
  return `${named.length === 0 ? HOLE : named.map(({ text }) => text.replace(/[*?]/g, HOLE)).join('\n')}\n`;
};

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  checkout: restoring,
  restore: restoring,
  'checkout-index': restoring,
  switch: () => '',
  reset: resetting,
  rm: removing,
  mv: moving,
  clean: cleaning,
  apply: applying,
  am: applying,
  config: configuring,
  commit: committing,
  tag: committing,
  notes: committing,
  bisect: running,
  submodule: running,
  rebase: running,
  'filter-branch': running,
  difftool: running,
  worktree: making,
  clone: making,
  init: making,
  archive: making,
  bundle: making,
  'rev-parse': parsing,
  'ls-files': listing,
  add: reading,
};

export const GIT: Programs = { git };
