import type { GuardDefinition } from '../config/guard-files/guard-file.ts';
import { globMatcher } from '../domain/protection/fits-glob.ts';
import type { Invocation } from './command/command-analysis.ts';
import { gitCall } from './git-call.ts';

type CommandShape = NonNullable<GuardDefinition['commands']>[number];

/** Longer words are no names, and globs are for names. */
const MAX_WORD = 1000;

/** Tells whether a program is started in a way that a guard describes. */
export function commandMatcher({
  program,
  subcommand,
  options,
  args,
}: CommandShape): (invocation: Invocation) => boolean {
  const fitsProgram = wordMatcher(program);
  const fitsSubcommand = subcommand === undefined ? undefined : wordMatcher(subcommand);
  const fitOptions = options?.map(optionMatcher);
  const fitArgs = args?.map(wordMatcher);
  return (invocation) => {
    if (!fitsProgram(invocation.program)) return false;
    const words = gitCall(invocation) ? afterGlobalOptions(invocation) : invocation.argv.slice(1);
    const plain = words.filter((word) => !word.startsWith('-'));
    if (fitsSubcommand && !fitsSubcommand(plain[0] ?? '')) return false;
    if (fitOptions && !fitOptions.some((fits) => words.some(fits))) return false;
    const others = fitsSubcommand ? plain.slice(1) : plain;
    return fitArgs === undefined || fitArgs.every((fits) => others.some((word) => fits(word)));
  };
}

function afterGlobalOptions(invocation: Invocation): readonly string[] {
  const call = gitCall(invocation);
  return call ? [call.subcommand, ...call.args] : [];
}

/** `-f` is also meant by `-uf`, and `--force` by `--force=yes`. */
function optionMatcher(option: string): (word: string) => boolean {
  const fits = wordMatcher(option);
  const isLetter = /^-[A-Za-z]$/.test(option);
  return (word) => {
    if (!word.startsWith('-')) return false;
    if (fits(word) || fits(word.split('=')[0] ?? word)) return true;
    return isLetter && /^-[A-Za-z]{2,}$/.test(word) && word.includes(option.slice(1), 1);
  };
}

/** A slash in a word is a letter like any other: `*` stands for all of it. */
function wordMatcher(glob: string): (word: string) => boolean {
  const fits = globMatcher(glob.replaceAll('/', '\u0001'));
  return (word) => fits(word.slice(0, MAX_WORD).replaceAll('/', '\u0001'));
}
