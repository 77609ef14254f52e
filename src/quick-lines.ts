/** The commands that have a script of their own, `src/interfaces/cli/quick-commands.ts`. */
export const QUICK_LINES: readonly string[] = ['feature next', 'config explain'];

/** Whether a command line can be left to that script. Help is told by the program that knows all commands. */
export function isQuick(args: readonly string[]): boolean {
  return (
    QUICK_LINES.includes(args.slice(0, 2).join(' ')) && !args.some((one) => one === '--help' || one === '-h')
  );
}
