import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PERSON_ONLY } from '../../../src/guards/built-in/waiver-forgery.ts';
import { allOptions } from '../../../src/interfaces/cli/program/build-program.ts';
import type { CliCommand } from '../../../src/interfaces/cli/program/cli-command.ts';
import { COMMAND_GROUPS, TOP_COMMANDS } from '../../../src/interfaces/cli/program/commands.ts';

const COMMANDS = new Map<string, CliCommand>([
  ...TOP_COMMANDS.commands.map((command) => [command.name, command] as const),
  ...COMMAND_GROUPS.flatMap(({ name, alias, commands }) =>
    [name, alias].flatMap((group) =>
      commands.map((command) => [`${group} ${command.name}`, command] as const),
    ),
  ),
]);
const GROUPS = new Set(COMMAND_GROUPS.flatMap(({ name, alias }) => [name, alias]));
/** Parts of the program without a declaration. */
const OTHERS = new Set(['help', 'hook']);

function filesIn(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => pattern.test(path))
    .map((path) => join(folder, path));
}

/** Commands in inline code and in blocks; in the sources the backquotes may be escaped. */
function namedCommands(file: string): string[] {
  const text = readFileSync(file, 'utf8')
    .replaceAll('\\`', '`')
    .replace(/\$\{[^}]*\}/g, ' ');
  const inline = text.matchAll(/`guardkit ([a-z][^`:]*)`/g);
  const inBlocks = file.endsWith('.md') ? text.matchAll(/^(?:\$ )?guardkit ([a-z][^#|&>\n]*)/gm) : [];
  return [...inline, ...inBlocks].map(([, words = '']) => words.trim().replace(/\s+/g, ' '));
}

/** The first fault of a named command. */
function faultOf(line: string): string | undefined {
  const [first = '', second = ''] = line.split(' ');
  if (OTHERS.has(first)) return undefined;
  const isGroup = GROUPS.has(first);
  const isPlaceholder = /^(?:[^a-z]|$)/.test(second) || /[,|]/.test(line.split(' --')[0] ?? '');
  if (isGroup && isPlaceholder) return undefined;
  const command = COMMANDS.get(isGroup ? `${first} ${second}` : first);
  if (!command) return 'no such command';
  const known = new Set(['--help', ...allOptions(command).map(([notation]) => notation.split(' ')[0])]);
  const unquoted = line.replace(/"[^"]*"/g, '');
  const options = [...unquoted.matchAll(/(?<= )--?[a-z][a-z-]*/g)].map(([option]) => option);
  return options.find((option) => !known.has(option));
}

it('messages, guides and the changelog name only commands and options that exist', () => {
  const files = [
    'README.md',
    'CHANGELOG.md',
    'AGENTS.md',
    ...filesIn('docs', /^(?!adr).*\.md$/),
    ...filesIn('plugin', /\.md$/),
    ...filesIn('src', /\.ts$/),
  ];
  const named = files.flatMap((file) => namedCommands(file).map((line) => ({ file, line })));
  expect(named.length).toBeGreaterThan(300);
  const wrong = named.flatMap(({ file, line }) => {
    const fault = faultOf(line);
    return fault === undefined ? [] : [`${file}: guardkit ${line}: ${fault}`];
  });
  expect(wrong).toEqual([]);
});

it('the help marks every command that only a person may run', () => {
  const summaries = PERSON_ONLY.map(([words]) => COMMANDS.get(words.join(' '))?.summary);
  for (const summary of summaries) expect(summary).toMatch(/ \(person only\)$/);
});
