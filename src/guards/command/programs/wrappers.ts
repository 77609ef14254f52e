import { parse } from 'unbash';
import { resolvePath } from '../resolve-field.ts';
import { type Field, HOLE, isKnown, plainField } from '../words/field.ts';
import { type Call, loseTrack, type Program, type Programs, runShellText, runWrapped, use } from './call.ts';
import { type OptionShape, readOptions } from './read-options.ts';

/** A program that starts the command after its own options and `skip` further words. */
function wrapper(shape: OptionShape, skip = 0, files: readonly string[] = []): Program {
  return (call) => {
    const options = readOptions(call.args, { ...shape, stops: true });
    use(call, 'write', ...options.values(...files));
    return runWrapped(call, options.operands.slice(skip));
  };
}

const ASSIGNMENT = /^([A-Za-z_]\w{0,200})=/;

/** Removes leading assignments, as env and sudo do. */
function withAssignments(
  call: Call,
  fields: readonly Field[],
  change: { cwd?: Field | undefined } = {},
): string {
  const environment: Record<string, string> = Object.create(null);
  Object.assign(environment, call.frame.environment);
  let at = 0;
  for (; at < fields.length; at += 1) {
    const text = fields[at]?.text ?? '';
    const name = ASSIGNMENT.exec(text)?.[1];
    if (name === undefined) break;
    environment[name] = text.slice(name.length + 1);
  }
  return runWrapped(call, fields.slice(at), { environment, ...inFolder(call, change.cwd) });
}

/** The frame changes for a command that runs in another folder. */
export function inFolder(call: Call, folder: Field | undefined): Partial<Call['frame']> {
  if (folder === undefined) return {};
  const scope = call.frame.scope.fork();
  const resolved = resolvePath(folder, scope.cwd);
  if (resolved?.exact === true && !resolved.glob) scope.enter([resolved.path], true);
  else call.shell.findings.unclear(`${call.name} runs in ${folder.text}, which is unknown`);
  return { scope };
}

const env: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'uCSP',
    long: ['unset', 'chdir', 'split-string'],
    flags: ['ignore-environment', 'null', 'debug'],
    stops: true,
  });
  const cwd = options.value('C', 'chdir');
  const split = options.values('S', 'split-string').flatMap(({ text }) => splitWords(text));
  const fields = [...split, ...options.operands].filter(({ text }) => text !== '-');
  if (fields.length === 0) return HOLE;
  return withAssignments(call, fields, { cwd });
};

function splitWords(text: string): Field[] {
  const command = text.length > 8192 ? undefined : parse(`: ${text}`).commands[0]?.command;
  if (command?.type !== 'Command') return [plainField(text)];
  return command.suffix.map((word) =>
    plainField(word.type === 'Word' ? word.value : 'text' in word ? word.text : HOLE),
  );
}

const sudo: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'ugpCcDRThrtU',
    long: [
      'user',
      'group',
      'prompt',
      'chdir',
      'chroot',
      'close-from',
      'host',
      'role',
      'type',
      'other-user',
      'command-timeout',
    ],
    flags: ['edit', 'login', 'shell', 'non-interactive', 'preserve-env', 'set-home', 'background'],
    stops: true,
  });
  if (options.has('e', 'edit')) use(call, 'write', ...options.operands);
  if (options.has('b', 'background')) call.shell.findings.background = true;
  if (options.has('e', 'edit')) return '';
  return withAssignments(call, options.operands, { cwd: options.value('D', 'chdir') });
};

/** su, runuser and script: run the text after -c. */
function textAfter(short: string, long: readonly string[] = []): Program {
  return (call) => {
    const options = readOptions(call.args, { short: `c${short}`, long: ['command', ...long] });
    const texts = options.values('c', 'command');
    if (call.name === 'script') use(call, 'write', ...options.operands);
    else if (texts.length === 0 && call.frame.stdin !== undefined)
      return runShellText(call, call.frame.stdin);
    return texts.map(({ text }) => runShellText(call, text)).join('');
  };
}

const exec: Program = (call) => {
  const options = readOptions(call.args, { short: 'a', stops: true });
  return runWrapped(call, options.operands);
};

const command: Program = (call) => {
  const options = readOptions(call.args, { stops: true });
  if (options.has('v', 'V')) return `${options.operands[0]?.text ?? HOLE}\n`;
  return runWrapped(call, options.operands);
};

const watch: Program = (call) => {
  const options = readOptions(call.args, { short: 'nqs', long: ['interval', 'equexit'], stops: true });
  if (options.has('x', 'exec')) return runWrapped(call, options.operands);
  return runShellText(call, options.operands.map(({ text }) => text).join(' '));
};

const flock: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'wE',
    long: ['timeout', 'wait', 'conflict-exit-code'],
    stops: true,
  });
  const [file, ...rest] = options.operands;
  if (file !== undefined && !/^\d+$/.test(file.text)) use(call, 'write', file);
  if (rest[0]?.text === '-c' || rest[0]?.text === '--command')
    return runShellText(call, rest[1]?.text ?? HOLE);
  return runWrapped(call, rest);
};

/** Programs that run their input later. */
const later: Program = (call) => {
  const options = readOptions(call.args, { short: 'fqt' });
  use(call, 'read', ...options.values('f'));
  const { stdin } = call.frame;
  if (stdin !== undefined && isKnown(stdin)) return runShellText(call, stdin, { background: true });
  if (options.has('l', 'c', 'd', 'r')) return HOLE;
  loseTrack(call, `${call.name} runs something later`);
  return '';
};

const crontab: Program = (call) => {
  const options = readOptions(call.args, { short: 'u' });
  if (options.has('l', 'r')) return HOLE;
  use(call, 'read', ...options.operands);
  loseTrack(call, 'crontab runs something later');
  const { stdin } = call.frame;
  for (const line of stdin === undefined || !isKnown(stdin) ? [] : stdin.split('\n').slice(0, 50)) {
    const text = line.replace(/^\s*(?:@\w{1,20}|(?:\S{1,40}\s+){5})/, '');
    if (text.trim() !== '' && !line.startsWith('#')) runShellText(call, text, { background: true });
  }
  return '';
};

/** Terminal multiplexers run their last arguments as shell text, in the background. */
const multiplexer: Program = (call) => {
  call.shell.findings.background = true;
  const options = readOptions(call.args, { short: 'SLfsnctTxyFh', stops: true });
  const words = options.operands.filter(
    ({ text }) => !/^-|^(?:new-session|new|new-window|send-keys|split-window|run-shell)$/.test(text),
  );
  for (const { text } of words) if (/\s/.test(text)) runShellText(call, text, { background: true });
  const first = words.findIndex(({ text }) => !/^\S{0,20}$/.test(text) || /^[a-z]+$/.test(text));
  if (first !== -1) runWrapped(call, words.slice(first), { background: true });
  return '';
};

const systemdRun: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'pHMEt',
    long: [
      'unit',
      'property',
      'description',
      'slice',
      'setenv',
      'uid',
      'gid',
      'on-active',
      'on-calendar',
      'working-directory',
    ],
    stops: true,
  });
  return runWrapped(call, options.operands, {
    background: true,
    ...inFolder(call, options.value('working-directory')),
  });
};

const busybox: Program = (call) => runWrapped(call, call.args);

/** Programs that start another program, by name. */
export const WRAPPERS: Programs = {
  env,
  sudo,
  doas: wrapper({ short: 'uC' }),
  su: textAfter('sgwG', ['shell', 'group', 'session-command']),
  runuser: textAfter('sugG', ['shell', 'group', 'user']),
  script: textAfter('oOIBTEm', ['log-out', 'log-in', 'log-io']),
  exec,
  command,
  builtin: wrapper({}),
  nohup: wrapper({}),
  setsid: wrapper({}),
  daemonize: wrapper({ short: 'acoeplu' }),
  daemon: wrapper({ short: 'npoOlLErFDuUMP' }),
  'systemd-run': systemdRun,
  at: later,
  batch: later,
  crontab,
  screen: multiplexer,
  tmux: multiplexer,
  disown: () => '',
  timeout: wrapper({ short: 'ks', long: ['kill-after', 'signal'] }, 1),
  nice: wrapper({ short: 'n', long: ['adjustment'] }),
  ionice: wrapper({ short: 'cnpPu', long: ['class', 'classdata'] }),
  chrt: wrapper({ short: 'TPD' }, 1),
  taskset: wrapper({}, 1),
  stdbuf: wrapper({ short: 'ioe', long: ['input', 'output', 'error'] }),
  time: wrapper({ short: 'of', long: ['output', 'format'] }, 0, ['o', 'output']),
  strace: wrapper({ short: 'oepsSPEOuabXI' }, 0, ['o']),
  ltrace: wrapper({ short: 'oenpsSulaAFD' }, 0, ['o']),
  valgrind: wrapper({}),
  chroot: wrapper({ long: ['userspec', 'groups'] }, 1),
  unshare: wrapper({ short: 'RwSG', long: ['root', 'wd', 'map-user', 'map-group'] }),
  nsenter: wrapper({ short: 'tSG', long: ['target'] }),
  setpriv: wrapper({ long: ['reuid', 'regid', 'groups', 'inh-caps', 'bounding-set'] }),
  prlimit: wrapper({}),
  unbuffer: wrapper({}),
  faketime: wrapper({ short: 'f' }, 1),
  caffeinate: wrapper({ short: 'tw' }),
  rlwrap: wrapper({ short: 'abcCDfgHlmMoOpPqsStwz' }),
  noglob: wrapper({}),
  nocorrect: wrapper({}),
  busybox,
  toybox: busybox,
  watch,
  flock,
};
