import { Help } from 'commander';
import type { CliCommand } from './cli-command.ts';
import { COMMAND_GROUPS, TOP_COMMANDS } from './commands.ts';

/** What most people need, and where the rest is. */
export const FIRST_COMMANDS: readonly string[] = [
  'init',
  'doctor',
  'run',
  'feature-build',
  'status',
  'verify',
  'explain',
  'serve',
];

/** Every command there is, under headings. */
export function describeCommands(width: number): string {
  const isFirst = ({ name }: CliCommand) => FIRST_COMMANDS.includes(name);
  const sections = [
    { heading: 'First:', items: TOP_COMMANDS.commands.filter(isFirst).map((command) => item('', command)) },
    {
      heading: 'Further:',
      items: TOP_COMMANDS.commands.filter((one) => !isFirst(one)).map((one) => item('', one)),
    },
    ...COMMAND_GROUPS.map(({ name, summary, commands }) => ({
      heading: `${name}: ${summary}`,
      items: commands.map((command) => item(`${name} `, command)),
    })),
  ].filter(({ items }) => items.length > 0);
  const help = new Help();
  help.prepareContext({ helpWidth: width });
  const longest = Math.max(...sections.flatMap(({ items }) => items.map(({ term }) => term.length)));
  return [
    'Usage: guardkit <command> [options]',
    ...sections.map(({ heading, items }) =>
      [heading, ...items.map(({ term, summary }) => help.formatItem(term, longest, summary, help))].join(
        '\n',
      ),
    ),
    'Run `guardkit help COMMAND` to see what one of them takes.',
  ].join('\n\n');
}

function item(group: string, { name, summary, arguments: args }: CliCommand) {
  return { term: [`${group}${name}`, ...args.map(([notation]) => notation)].join(' '), summary };
}
