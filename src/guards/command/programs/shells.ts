import { type Field, HOLE, isKnown } from '../words/field.ts';
import { type Call, loseTrack, type Program, type Programs, runShellText, runWrapped, use } from './call.ts';
import { readOptions } from './read-options.ts';
import { runFile } from './run-file.ts';

/** bash, sh and similar: run a text after -c, a file, or their input. */
const shell: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'oO',
    long: ['rcfile', 'init-file'],
    stops: true,
  });
  const startup = options.values('rcfile', 'init-file');
  use(call, 'read', ...startup);
  for (const { text } of startup) call.shell.findings.unclear(`runs ${text}`);
  const [first, ...rest] = options.operands;
  if (options.has('c')) {
    if (first === undefined) return '';
    return inNewShell(call, first.text, rest.slice(1), call.frame.stdin);
  }
  if (first !== undefined && !options.has('s') && first.text !== '-') return runFile(call, first, rest);
  const { stdin } = call.frame;
  if (stdin === undefined) {
    call.shell.findings.typed(call.name);
    return '';
  }
  if (isKnown(stdin)) return inNewShell(call, stdin, options.has('s') ? options.operands : rest, undefined);
  loseTrack(call, `${call.name} runs its input, which is unknown`);
  return stdin.trim() === HOLE ? HOLE : inNewShell(call, stdin, rest, undefined);
};

function inNewShell(
  call: Call,
  text: string,
  positional: readonly Field[],
  stdin: string | undefined,
): string {
  const scope = call.frame.scope.fork();
  scope.positional = positional;
  for (const [name, value] of Object.entries(call.frame.environment)) scope.set(name, [value]);
  return runShellText(call, text, { scope, stdin });
}

const POWERSHELL: Program = (call) => {
  loseTrack(call, `${call.name} runs a script that GuardKit cannot parse`);
  return HOLE;
};

/** fish and csh have another syntax, but programs and arguments look the same. */
const otherShell: Program = (call) => {
  call.shell.findings.unclear(`${call.name} uses a different syntax`);
  return shell(call);
};

/** ssh runs its command on another machine, unless the host is this one. */
const ssh: Program = (call) => {
  const options = readOptions(call.args, { short: 'BbcDEeFIiJLlmOoPpRSWw', stops: true });
  use(call, 'read', ...options.values('i', 'F'));
  use(call, 'write', ...options.values('E'));
  for (const { text } of options.values('o')) {
    const command = /^(?:ProxyCommand|LocalCommand|KnownHostsCommand|RemoteCommand)[= ](.*)$/i.exec(
      text,
    )?.[1];
    if (command !== undefined) runShellText(call, command);
  }
  const [host, ...words] = options.operands;
  if (host !== undefined && /(?:^|@)(?:localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host.text)) {
    const text = words.length > 0 ? words.map((word) => word.text).join(' ') : (call.frame.stdin ?? '');
    return runShellText(call, text);
  }
  return HOLE;
};

/** expect starts programs from its own scripts. */
const expect: Program = (call) => {
  const options = readOptions(call.args, { short: 'cf', stops: true });
  use(call, 'read', ...options.values('f'));
  for (const { text } of options.values('c'))
    for (const match of text.matchAll(/\bspawn\s+([^;\n]{1,2000})/g)) runShellText(call, match[1] ?? '');
  loseTrack(call, 'expect runs a script that GuardKit cannot parse');
  return HOLE;
};

const npx: Program = (call) => {
  const options = readOptions(call.args, {
    short: 'pc',
    long: ['package', 'call', 'shell', 'node-arg'],
    stops: true,
  });
  const text = options.value('c', 'call');
  if (text !== undefined) return runShellText(call, text.text);
  return runWrapped(call, options.operands);
};

/** Shells, and programs that run their arguments as commands. */
export const SHELLS: Programs = {
  bash: shell,
  sh: shell,
  zsh: shell,
  dash: shell,
  ksh: shell,
  mksh: shell,
  ash: shell,
  rbash: shell,
  fish: otherShell,
  csh: otherShell,
  tcsh: otherShell,
  pwsh: POWERSHELL,
  powershell: POWERSHELL,
  cmd: POWERSHELL,
  ssh,
  autossh: ssh,
  expect,
  npx,
  bunx: npx,
  pnpx: npx,
  uvx: npx,
};
