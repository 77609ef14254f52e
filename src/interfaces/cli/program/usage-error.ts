import type { CommanderError } from 'commander';
import { GuardKitError } from '../../../guardkit-error.ts';
import { namedCommand } from './named-command.ts';

/** A command line that commander refused, in our words. */
export function usageError({ code, message }: CommanderError, args: readonly string[]): GuardKitError {
  const [what = '', ...more] = message.replace(/^error: /, '').split('\n');
  const suggestion = /\((Did you mean .+\?)\)/.exec(more.join('\n'))?.[1];
  const { group, command } = namedCommand(args);
  const help = ['guardkit', group?.name, command?.name, '--help'].filter((word) => word !== undefined);
  return new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: `${what.charAt(0).toUpperCase()}${what.slice(1).replace(/\.$/, '')}.`,
    hint: [
      suggestion ?? (command && command.arguments.length > 0 ? slip(code) : undefined),
      `Run \`${help.join(' ')}\` to see what it takes.`,
    ]
      .filter((sentence) => sentence !== undefined)
      .join(' '),
  });
}

/** What was probably meant, where a command takes a text. */
function slip(code: string): string | undefined {
  if (code === 'commander.excessArguments') return 'Put quotes around a text with spaces.';
  if (code === 'commander.unknownOption') return 'Write -- before a text that begins with a dash.';
  return undefined;
}
