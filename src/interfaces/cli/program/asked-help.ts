import { namedCommand } from './named-command.ts';

/**
 * `help guard allow` and `guard help allow` as `guard allow --help`. What names no command is left without the word, so that
 * it is refused by its name.
 */
export function askedHelp(args: readonly string[]): readonly string[] {
  const [first = '', second] = args;
  const { group } = namedCommand(args);
  if (first !== 'help' && !(group && second === 'help')) return args;
  const words = args.filter((word, index) => index !== (group ? 1 : 0) && !word.startsWith('-'));
  if (words.length === 0) return args;
  const named = namedCommand(words);
  if (named.command) return [...words.slice(0, named.group ? 2 : 1), '--help'];
  return named.group && words.length === 1 ? [...words, '--help'] : words;
}
