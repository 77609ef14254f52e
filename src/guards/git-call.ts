import type { Invocation } from './command/command-analysis.ts';

export interface GitCall {
  subcommand: string;
  /** The words after the subcommand. */
  args: readonly string[];
}

/** Global git options that take the next word. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--exec-path',
  '--super-prefix',
  '--config-env',
  '--attr-source',
]);

/** The git subcommand and its arguments; undefined for other programs. */
export function gitCall({ program, argv }: Invocation): GitCall | undefined {
  if (program !== 'git') return undefined;
  let at = 1;
  while (argv[at]?.startsWith('-')) at += WITH_VALUE.has(argv[at] ?? '') ? 2 : 1;
  return { subcommand: argv[at] ?? '', args: argv.slice(at + 1) };
}

/** Whether an option is set, also among joined short options, as `f` in `-fdx`. */
export function hasFlag(args: readonly string[], letter: string, ...long: readonly string[]): boolean {
  return args.some((word) => long.includes(word) || (/^-[A-Za-z]+$/.test(word) && word.includes(letter, 1)));
}
