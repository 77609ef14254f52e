import type { VerifyConfig } from '../project/verify-config.ts';
import { detectMake } from './detect-other-languages.ts';
import type { ProjectView } from './project-view.ts';

const PYTHON: ReadonlyMap<string, string> = new Map([
  ['python', 'python3'],
  ['python3', 'python3'],
  ['pytest', 'python3 -m pytest'],
  ['py.test', 'python3 -m pytest'],
  ['coverage', 'python3 -m coverage'],
  ['make', 'make'],
]);

/** The commands that the project itself runs in tox or make, for a suite that the usual runners do not find. */
export function ownPythonCommands(view: ProjectView): VerifyConfig[] {
  const tox = toxCommand(view.text('tox.ini') ?? '');
  const make = detectMake(view)?.verify.tests?.command;
  return [tox, make].flatMap((command) => (command === undefined ? [] : [{ tests: { command } }]));
}

function toxCommand(ini: string): string | undefined {
  const section = /^\[testenv\][^\n]*\n((?:(?!\[)[^\n]*\n?)*)/m.exec(ini)?.[1] ?? '';
  const value = /^commands[ \t]*=((?:[^\n]*)(?:\n[ \t]+[^\n]*)*)/m.exec(section)?.[1] ?? '';
  const lines = value
    .split('\n')
    .map((line) => line.replace(/\{posargs(?::[^{}]*)?\}/g, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const commands = lines.map(shellCommand);
  return commands.length === 0 || commands.includes(undefined) ? undefined : commands.join(' && ');
}

/** tox starts programs without a shell, and replaces words in braces. */
function shellCommand(line: string): string | undefined {
  const [, program = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
  const known = PYTHON.get(program);
  return known === undefined || !/^[\w\s@%+=:,./'-]*$/.test(rest) ? undefined : `${known} ${rest}`.trim();
}
