import { isTerminalPath } from '../resolve-field.ts';
import type { Call } from './call.ts';

/** Programs that run commands which are typed into them, whatever their arguments are. */
const INTERACTIVE: ReadonlySet<string> = new Set([
  ...[
    'vi',
    'vim',
    'nvim',
    'view',
    'vimdiff',
    'ex',
    'ed',
    'emacs',
    'nano',
    'pico',
    'micro',
    'joe',
    'mc',
    'ranger',
  ],
  ...['less', 'more', 'most', 'man', 'gdb', 'lldb', 'pdb', 'ipdb', 'jdb', 'irb', 'pry', 'ghci', 'iex'],
  ...['erl', 'scala', 'jshell', 'groovysh', 'R', 'octave', 'ftp', 'sftp', 'telnet', 'su', 'login', 'script'],
]);

/** Programs with commands of their own that start others, if no command is given. */
const CLIENTS: ReadonlySet<string> = new Set([
  'sqlite3',
  'psql',
  'mysql',
  'mariadb',
  'mongosh',
  'redis-cli',
  'ssh',
]);

/** Programs that pass their input on, with the number of words before the first file. */
const PASSING: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'cat tee head tail sort uniq tac rev paste cut pv dd'.split(' ').map((name) => [name, 0]),
  ),
  ...Object.fromEntries('sed awk gawk mawk grep'.split(' ').map((name) => [name, 1])),
  ...Object.fromEntries(
    'tr xargs parallel read mapfile readarray'.split(' ').map((name) => [name, Number.POSITIVE_INFINITY]),
  ),
};

/** Records a program that runs, or passes on, what is typed into it while it runs. */
export function noteTyped({ name, args, frame, shell }: Call): void {
  const words = args.map(({ text }) => text);
  if (words.some(isTerminalPath)) shell.findings.typed(name);
  if (frame.stdin !== undefined || words.includes('--version') || words.includes('--help')) return;
  if (INTERACTIVE.has(name) || (CLIENTS.has(name) && words.length < 2)) shell.findings.typed(name);
  const before = Object.hasOwn(PASSING, name) ? PASSING[name] : undefined;
  if (before === undefined || frame.wrappers.includes('xargs')) return;
  const operands = words.filter((word) => !/^-|^\d+$/.test(word));
  const searchesFiles = name === 'grep' && words.some((word) => /^(?:-\w*[rR]|--recursive)/.test(word));
  if (operands.length <= before && !searchesFiles) shell.findings.passesTyped(name);
}
