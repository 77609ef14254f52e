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
/** A longer command has its summary below. */
const LONGEST_BESIDE = 30;
/** Before a command, and between it and its summary. */
const MARGIN = 2;
const BELOW = '      ';

const CLOSING =
  'Run `guardkit help COMMAND` to see its arguments and options. Person only: an agent cannot run it.';

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
  const help = Object.assign(new Help(), { minWidthToWrap: NARROWEST });
  help.prepareContext({ helpWidth: width });
  // Where one summary of a section does not fit beside its command, all of them go below.
  const describe = (items: readonly Item[]) => {
    const beside = items.filter(({ term }) => term.length <= LONGEST_BESIDE);
    const column = Math.max(0, ...beside.map(({ term }) => term.length));
    const fits = beside.every(({ summary }) => MARGIN + column + MARGIN + summary.length <= width);
    return items.map(({ term, summary }) =>
      fits && term.length <= column
        ? help.formatItem(term, column, summary, help)
        : `  ${term}\n${help.boxWrap(summary, width - BELOW.length).replace(/^/gm, BELOW)}`,
    );
  };
  return [
    'Usage: guardkit <command> [options]',
    ...sections.map(({ heading, items }) => [help.boxWrap(heading, width), ...describe(items)].join('\n')),
    help.boxWrap(CLOSING, width),
  ].join('\n\n');
}

function item(group: string, { name, summary, arguments: args }: CliCommand): Item {
  return { term: [`${group}${name}`, ...args.map(([notation]) => notation)].join(' '), summary };
}
