import { posix } from 'node:path';
import { BUILTINS } from './programs/builtins.ts';
import { type Call, loseTrack, runShellText, use } from './programs/call.ts';
import { PROGRAMS } from './programs/programs.ts';
import { runFile, runUnknown } from './programs/run-file.ts';
import { noteTyped } from './programs/typed-input.ts';
import { WRAPPERS } from './programs/wrappers.ts';
import { looksLikePath } from './resolve-field.ts';
import type { Frame } from './shell/scope.ts';
import type { Shell } from './shell/shell.ts';
import { type Field, HOLE, isKnown, shownText } from './words/field.ts';

/** System folders for programs; a program elsewhere is treated as a file. */
const PROGRAM_FOLDERS = /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$|^\/opt\/(?:homebrew|local)\/bin\/[^/]+$/;
/** A project's folders for installed programs. */
const OWN_PROGRAMS = /(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin)\/[^/]+$/;
/** Recorded as wrappers of the programs they start, not as programs. */
const TRANSPARENT = new Set(
  [...Object.keys(WRAPPERS), 'xargs', 'parallel', 'npx', 'bunx', 'pnpx', 'uvx'].filter(
    // These let another process start it.
    (name) => !/^(?:at|batch|crontab|systemd-run|tmux|screen)$/.test(name),
  ),
);
const OUTLIVES = new Set([
  'nohup',
  'setsid',
  'disown',
  'at',
  'batch',
  'crontab',
  'systemd-run',
  'daemonize',
  'daemon',
  'start-stop-daemon',
  'launchctl',
]);

/** Simulates one command with known words. */
export function runProgram(fields: readonly Field[], frame: Frame, shell: Shell): string {
  shell.findings.step(frame.depth);
  const [first, ...args] = fields;
  if (first === undefined) return '';
  const name = programName(first.text);
  const call: Call = { name, args, frame, shell };
  const before = shell.findings.invocationCount;
  if (!TRANSPARENT.has(name)) record(name, fields, frame, shell);
  noteTyped(call);
  useEnvironment(call);
  const output = start(first, call);
  // A wrapper that started nothing is recorded as a program.
  if (TRANSPARENT.has(name) && shell.findings.invocationCount === before) record(name, fields, frame, shell);
  return output;
}

function start(first: Field, call: Call): string {
  const { name, args, frame, shell } = call;
  if (!isKnown(first.text) || first.glob) {
    shell.loseTrack(`runs ${shownText(first.text)}, which is unknown`, frame);
    return runUnknown(call);
  }
  if (OUTLIVES.has(name)) shell.findings.background = true;
  if (first.text.includes('/') && !PROGRAM_FOLDERS.test(first.text) && !OWN_PROGRAMS.test(first.text))
    return runFile(call, first, args);
  const known = lookUp(BUILTINS, name) ?? lookUp(PROGRAMS, name) ?? lookUp(PROGRAMS, plainName(name));
  return known === undefined ? runUnknown(call) : known(call);
}

function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function programName(text: string): string {
  return posix.basename(text) || text;
}

/** python3.12 is python, gsed is sed. */
function plainName(name: string): string {
  const plain = name.replace(/\.exe$/i, '').replace(/-?[\d.]{1,12}$/, '');
  return /^g(?:sed|awk|cp|mv|rm|ln|find|xargs|tar|tee|cat|truncate|touch|dd|install|env|timeout|chmod|split|sort)$/.test(
    plain,
  )
    ? plain.slice(1)
    : plain;
}

function record(name: string, fields: readonly Field[], frame: Frame, shell: Shell): void {
  const { stdin } = frame;
  const env: Record<string, string> = Object.create(null);
  for (const [key, value] of Object.entries(frame.environment)) env[key] = shownText(value);
  shell.findings.invocation({
    program: shownText(name),
    argv: fields.map(({ text }) => shownText(text)),
    wrappers: [...frame.wrappers],
    env,
    cwd: frame.scope.cwd,
    background: frame.background,
    ...(stdin === undefined || stdin.includes(HOLE) ? {} : { stdin }),
    depth: frame.depth,
    exact: fields.every(({ text, glob }) => isKnown(text) && !glob),
  });
}

/** Variables whose value a program runs as a command. */
const RUN =
  /^(?:GIT_(?:EDITOR|PAGER|SEQUENCE_EDITOR|SSH_COMMAND|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND|SSH)|EDITOR|VISUAL|PAGER|MANPAGER|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|SSH_ASKPASS|BROWSER)$/;
/** Variables that make a program load code. */
const LOADS =
  /^(?:BASH_ENV|ENV|LD_PRELOAD|LD_LIBRARY_PATH|LD_AUDIT|DYLD_INSERT_LIBRARIES|NODE_OPTIONS|NODE_PATH|PYTHONSTARTUP|PYTHONPATH|PYTHONHOME|PERL5OPT|PERL5LIB|RUBYOPT|RUBYLIB|PATH|GIT_CONFIG\w*|GIT_DIR|GIT_WORK_TREE|GIT_TEMPLATE_DIR|GIT_EXEC_PATH|MAKEFLAGS|MAKEFILES|npm_config_\w+|NPM_CONFIG_\w+|ZDOTDIR)$/;

/** Records the effects of assignments before a command. */
function useEnvironment(call: Call): void {
  for (const [name, value] of Object.entries(call.frame.environment)) {
    call.shell.findings.literal(value);
    if (RUN.test(name)) {
      if (isKnown(value)) runShellText(call, value);
      else loseTrack(call, `the value of ${name} is unknown`);
    } else if (LOADS.test(name)) {
      call.shell.findings.unclear(`${name} changes what ${call.name} loads`);
    }
    for (const piece of value.split(/[\s:=,]+/, 50))
      if (looksLikePath(piece)) use(call, 'mention', { text: piece, glob: false });
  }
}
