import { GuardKitError } from '../../../src/guardkit-error.ts';
import { allOptions } from '../../../src/interfaces/cli/program/build-program.ts';
import type { CliCommand } from '../../../src/interfaces/cli/program/cli-command.ts';
import { COMMAND_GROUPS, TOP_COMMANDS } from '../../../src/interfaces/cli/program/commands.ts';

const EXIT_CODES = [
  ['0', 'success'],
  [exitCode('refused'), 'negative result, for example a gate that did not pass'],
  [exitCode('input'), 'invalid usage or input'],
  [exitCode('outside'), 'external failure: a disk, a server or another program'],
] as const;

/** The reference page of the command line, as in docs/reference/cli.md. */
export function renderReference(): string {
  return [
    '# The command line',
    '',
    '<!-- Generated from the declarations in src/interfaces/cli by `npx vitest run test/interfaces/cli/reference -u`. -->',
    '',
    'Results go to standard output; errors and notices go to standard error. With `--json`, standard',
    'output is exactly one JSON document, even for an error: `{"error": {"code", "message", "hint"}}`.',
    '',
    ...table(['exit code', 'meaning'], EXIT_CODES),
    ...TOP_COMMANDS.commands.flatMap((command) => renderCommand('##', command, 'guardkit')),
    ...COMMAND_GROUPS.flatMap(({ name, alias, summary, commands }) => [
      `## guardkit ${name}`,
      '',
      sentence(alias === undefined ? summary : `${summary} (alias: \`guardkit ${alias}\`)`),
      '',
      ...commands.flatMap((command) => renderCommand('###', command, `guardkit ${name}`)),
    ]),
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

function renderCommand(level: string, command: CliCommand, parent: string): string[] {
  const name = `${parent} ${command.name}`;
  const options = allOptions(command).map(([notation, description, repeatable]) => [
    `\`${notation}\``,
    repeatable ? `${description} (repeatable)` : description,
  ]);
  const words = [name, ...command.arguments.map(([notation]) => notation), '[options]'];
  return [
    `${level} ${name}`,
    '',
    sentence(command.summary),
    '',
    '```',
    words.join(' '),
    '```',
    '',
    ...table(
      ['argument or option', 'meaning'],
      [...command.arguments.map(([notation, description]) => [`\`${notation}\``, description]), ...options],
    ),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function exitCode(kind: GuardKitError['kind']): string {
  return String(new GuardKitError({ code: '', kind, message: '', hint: '' }).exitCode);
}
