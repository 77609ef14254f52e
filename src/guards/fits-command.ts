import type { GuardDefinition } from '../config/guard-file.ts';
import { fitsGlob } from '../domain/fits-glob.ts';
import type { Invocation } from './command/command-analysis.ts';
import { gitCall } from './git-call.ts';

type CommandShape = NonNullable<GuardDefinition['commands']>[number];

/** Longer words are no names, and globs are for names. */
const MAX_WORD = 1000;

/** Whether a program is started in a way that a guard describes. */
export function fitsCommand(
  invocation: Invocation,
  { program, subcommand, options, args }: CommandShape,
): boolean {
  if (!fits(invocation.program, program)) return false;
  const words = gitCall(invocation) ? afterGlobalOptions(invocation) : invocation.argv.slice(1);
  const plain = words.filter((word) => !word.startsWith('-'));
  if (subcommand !== undefined && !fits(plain[0] ?? '', subcommand)) return false;
  if (options && !options.some((option) => words.some((word) => fitsOption(word, option)))) return false;
  const others = subcommand === undefined ? plain : plain.slice(1);
  return args === undefined || args.every((glob) => others.some((word) => fits(word, glob)));
}

function afterGlobalOptions(invocation: Invocation): readonly string[] {
  const call = gitCall(invocation);
  return call ? [call.subcommand, ...call.args] : [];
}

/** `-f` is also meant by `-uf`, and `--force` by `--force=yes`. */
function fitsOption(word: string, option: string): boolean {
  if (!word.startsWith('-')) return false;
  const name = word.split('=')[0] ?? word;
  if (fits(word, option) || fits(name, option)) return true;
  return /^-[A-Za-z]$/.test(option) && /^-[A-Za-z]{2,}$/.test(word) && word.includes(option.slice(1), 1);
}

/** A slash in a word is a letter like any other: `*` stands for all of it. */
function fits(word: string, glob: string): boolean {
  return fitsGlob(word.slice(0, MAX_WORD).replaceAll('/', '\u0001'), glob.replaceAll('/', '\u0001'));
}
