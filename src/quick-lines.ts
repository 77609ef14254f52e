/** The commands that have a script of their own each, out of `src/interfaces/cli/quick-commands.ts`. */
export const QUICK_LINES: readonly string[] = ['feature next', 'config explain'];

/** Which of them a command line can be left to. Help is told by the program that knows all commands. */
export function quickLine(args: readonly string[]): string | undefined {
  const line = args.slice(0, 2).join(' ');
  return args.some((one) => one === '--help' || one === '-h')
    ? undefined
    : QUICK_LINES.find((one) => one === line);
}
