import { resolvePath } from '../resolve-field.ts';
import { type Field, HOLE, isKnown, plainField } from '../words/field.ts';
import { type Call, loseTrack, type Program, type Programs, runShellText, use } from './call.ts';
import { readOptions } from './read-options.ts';
import { contentsOf, runUnknown } from './run-file.ts';

/** Changes the folder. If the target is unknown, the current folder stays as a guess. */
function enter(call: Call, target: Field): string {
  const { scope, checked } = call.frame;
  const { text } = target;
  if (text === '-') {
    scope.enter([scope.before], checked);
    return '';
  }
  call.shell.findings.literal(text);
  const folders = scope.cwds.map((cwd) => resolvePath(target, cwd));
  const known = folders.flatMap((one) => (one?.exact === true && !one.glob ? [one.path] : []));
  if (known.length > 0) scope.enter(known, checked || known.every((folder) => scope.folders.has(folder)));
  else if (leadsAway(folders[0]?.path, scope.cwd)) {
    // An unknown folder below a temporary folder, outside the current one.
    call.shell.findings.unclear(`cd to ${text}, which is unknown`);
    scope.enter([folders[0]?.path ?? '/'], checked);
  } else {
    call.shell.findings.unclear(`cd to ${text}, which is unknown`);
    const guesses = folders.flatMap((one) => (one === undefined || one.glob ? [] : [one.path]));
    scope.cwds = [...new Set([...guesses, ...scope.cwds])].slice(0, 8);
    scope.lost = true;
    scope.version += 1;
  }
  return '';
}

/** Whether the known start of a path is in a temporary folder that does not contain the current one. */
function leadsAway(path: string | undefined, cwd: string): boolean {
  const begin = path?.slice(0, path.indexOf('*')) ?? '';
  return /^\/(?:tmp|var\/tmp|dev\/shm)\/./.test(begin) && !cwd.startsWith(begin);
}

const cd: Program = (call) => {
  const target = call.args.find(({ text }) => text === '-' || !text.startsWith('-'));
  return enter(call, target ?? plainField(call.frame.scope.values('HOME')[0] ?? HOLE));
};

const pushd: Program = (call) => {
  const { scope } = call.frame;
  const target = call.args.find(({ text }) => !/^[-+]/.test(text));
  if (target === undefined) return '';
  scope.pushed.push(scope.cwd);
  return enter(call, target);
};

const popd: Program = (call) => {
  const folder = call.frame.scope.pushed.pop();
  if (folder !== undefined) call.frame.scope.enter([folder], true);
  return '';
};

/** export, declare, local, readonly, typeset. */
const declare: Program = ({ args, frame, shell }) => {
  for (const { text } of args) {
    const match = /^([A-Za-z_]\w{0,200})(\+?)=/.exec(text);
    if (match === null) continue;
    const value = text.slice(match[0].length);
    shell.findings.literal(value);
    const name = match[1] ?? '';
    frame.scope.set(name, [match[2] === '+' ? (frame.scope.values(name)[0] ?? '') + value : value]);
  }
  return '';
};

const unset: Program = ({ args, frame }) => {
  for (const { text } of args) {
    frame.scope.set(text, ['']);
    frame.scope.functions.delete(text);
    frame.scope.aliases.delete(text);
  }
  return '';
};

const set: Program = ({ args, frame }) => {
  for (const [at, { text }] of args.entries()) {
    if (text === '--') {
      frame.scope.positional = args.slice(at + 1);
      return '';
    }
    if (/^-[a-z]*e/.test(text) || text === 'errexit') frame.scope.stopsOnError = true;
    if (!/^[-+]/.test(text) && at === 0) frame.scope.positional = args;
  }
  return '';
};

const shift: Program = ({ args, frame }) => {
  const count = Number(args[0]?.text ?? 1);
  frame.scope.positional = frame.scope.positional?.slice(Number.isSafeInteger(count) ? count : 1);
  return '';
};

const alias: Program = ({ args, frame }) => {
  for (const { text } of args) {
    const equals = text.indexOf('=');
    if (equals > 0) frame.scope.aliases.set(text.slice(0, equals), text.slice(equals + 1));
  }
  return '';
};

const read: Program = ({ args, frame }) => {
  const options = readOptions(args, { short: 'adinNptu' });
  const names = options.operands.length === 0 ? [plainField('REPLY')] : options.operands;
  const line = (frame.stdin ?? HOLE).split('\n', 1)[0] ?? '';
  const words = line.split(/[ \t]+/).filter((word) => word !== '');
  const array = options.value('a')?.text;
  if (array !== undefined) frame.scope.arrays.set(array, words);
  for (const [at, { text }] of names.entries()) {
    const last = at === names.length - 1;
    // If parts of a line are unknown, the position of every word is unknown.
    const value = isKnown(line)
      ? last
        ? words.slice(at).join(' ')
        : (words[at] ?? '')
      : names.length === 1
        ? line
        : HOLE;
    frame.scope.set(text, [value]);
  }
  return '';
};

const mapfile: Program = ({ args, frame }) => {
  const name = readOptions(args, { short: 'dnOsuCc' }).operands[0]?.text ?? 'MAPFILE';
  const lines = (frame.stdin ?? HOLE).split('\n').filter((line) => line !== '');
  frame.scope.arrays.set(name, lines.slice(0, 1000));
  return '';
};

/** eval runs in the current shell, so its changes persist. */
const evaluate: Program = (call) => {
  const text = call.args.map((field) => field.text).join(' ');
  if (!isKnown(text)) loseTrack(call, `eval of ${text}`);
  return runShellText(call, text, { scope: call.frame.scope, stdin: call.frame.stdin });
};

const source: Program = (call) => {
  const [file, ...rest] = call.args;
  if (file === undefined) return '';
  use(call, 'read', file);
  runUnknown({ ...call, args: rest });
  const contents = contentsOf(call, file);
  if (contents === undefined || contents.includes(HOLE)) loseTrackOf(call, file);
  return (contents ?? [])
    .filter((content) => content !== HOLE)
    .map((content) => runShellText(call, content, { scope: call.frame.scope }))
    .join('');
};

function loseTrackOf(call: Call, file: Field): void {
  call.shell.findings.unclear(`runs ${file.text}`);
}

const trap: Program = (call) => {
  const [first] = call.args;
  if (first === undefined || first.text === '-' || first.text.startsWith('-')) return '';
  return runShellText(call, first.text);
};

const test: Program = (call) => {
  for (const [at, { text }] of call.args.entries())
    if (/^-[a-zA-Z]$/.test(text) && !'nz'.includes(text[1] ?? '')) use(call, 'read', call.args[at + 1]);
  return '';
};

const nothing: Program = () => '';

/** Shell builtins. */
export const BUILTINS: Programs = {
  cd,
  chdir: cd,
  pushd,
  popd,
  export: declare,
  declare,
  typeset: declare,
  local: declare,
  readonly: declare,
  unset,
  set,
  shift,
  alias,
  read,
  mapfile,
  readarray: mapfile,
  eval: evaluate,
  source,
  '.': source,
  trap,
  test,
  '[': test,
  ':': nothing,
  true: nothing,
  false: nothing,
  exit: nothing,
  return: nothing,
  break: nothing,
  continue: nothing,
  wait: nothing,
  jobs: () => HOLE,
  fg: nothing,
  bg: nothing,
  kill: nothing,
  sleep: nothing,
  umask: nothing,
  ulimit: nothing,
  shopt: nothing,
  setopt: nothing,
  let: nothing,
  hash: nothing,
  type: () => HOLE,
  unalias: unset,
  history: () => HOLE,
  times: () => HOLE,
};
