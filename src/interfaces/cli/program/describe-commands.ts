import { Help } from 'commander';
import type { CliCommand } from './cli-command.ts';
import { COMMAND_GROUPS, TOP_COMMANDS } from './commands.ts';

/** Shown first in help, in this order. */
export const FIRST_COMMANDS: readonly string[] = [
  'init',
  'doctor',
  'status',
  'log',
  'run',
  'feature-build',
  'verify',
  'explain',
  'ui',
];

/** The commands that help shows first, in that order. */
export function firstCommands<Command>(
  commands: readonly Command[],
  name: (command: Command) => string,
): Command[] {
  return FIRST_COMMANDS.flatMap((first) => commands.filter((command) => name(command) === first));
}

/** Below this width, let the terminal wrap lines. */
const NARROWEST = 20;
/** With less room after the longest name, a summary goes on its own line. */
const ROOM_BESIDE = 50;
const BELOW = '      ';

interface Item {
  term: string;
  summary: string;
}

/** All commands, under headings. */
export function describeCommands(width: number): string {
  const isFirst = ({ name }: CliCommand) => FIRST_COMMANDS.includes(name);
  const first = firstCommands(TOP_COMMANDS.commands, ({ name }) => name);
  const sections = [
    { heading: 'Start here:', items: first.map((command) => item('', command)) },
    {
      heading: 'More commands:',
      items: TOP_COMMANDS.commands.filter((one) => !isFirst(one)).map((one) => item('', one)),
    },
    ...COMMAND_GROUPS.map(({ name, alias, summary, commands }) => ({
      heading: `${name}: ${summary}${alias === undefined ? '' : ` (alias: ${alias})`}`,
      items: commands.map((command) => item(`${name} `, command)),
    })),
  ].filter(({ items }) => items.length > 0);
  const longest = Math.max(...sections.flatMap(({ items }) => items.map(({ term }) => term.length)));
  const help = Object.assign(new Help(), { minWidthToWrap: NARROWEST });
  help.prepareContext({ helpWidth: width });
  const isNarrow = width - longest < ROOM_BESIDE;
  const describe = ({ term, summary }: Item) =>
    isNarrow
      ? `  ${term}\n${help.boxWrap(summary, width - BELOW.length).replace(/^/gm, BELOW)}`
      : help.formatItem(term, longest, summary, help);
  return [
    'Usage: guardkit <command> [options]',
    ...sections.map(({ heading, items }) =>
      [help.boxWrap(heading, width), ...items.map(describe)].join('\n'),
    ),
    help.boxWrap('Run `guardkit help COMMAND` to see its arguments and options.', width),
  ].join('\n\n');
}

function item(group: string, { name, summary, arguments: args }: CliCommand): Item {
  return { term: [`${group}${name}`, ...args.map(([notation]) => notation)].join(' '), summary };
}
