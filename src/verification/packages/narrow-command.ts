/** Ways to call a script in every package, and the same for some of them. */
const EVERYWHERE: readonly {
  call: RegExp;
  narrowed: (match: RegExpExecArray, names: readonly string[]) => string;
}[] = [
  {
    call: /\bnpm (test|run [\w:-]+) --workspaces( --if-present)?/,
    narrowed: ([, script, ifPresent = ''], names) =>
      `npm ${script} ${names.map((name) => `--workspace ${name}`).join(' ')}${ifPresent}`,
  },
  {
    call: /\bpnpm (?:-r|--recursive) (test|run [\w:-]+)/,
    narrowed: ([, script], names) => `pnpm ${names.map((name) => `--filter ${name}`).join(' ')} ${script}`,
  },
  {
    call: /\byarn workspaces foreach --all (run [\w:-]+)/,
    narrowed: ([, script], names) =>
      `yarn workspaces foreach --all ${names.map((name) => `--include ${name}`).join(' ')} ${script}`,
  },
];

/** Names that a shell takes as they are. */
const PLAIN_NAME = /^[@\w][\w./@-]*$/;

/** A command that runs a script in some packages instead of all; undefined where it cannot be told apart. */
export function narrowCommand(command: string, names: readonly string[]): string | undefined {
  if (names.length === 0 || !names.every((name) => PLAIN_NAME.test(name))) return undefined;
  for (const { call, narrowed } of EVERYWHERE) {
    const match = call.exec(command);
    if (match)
      return `${command.slice(0, match.index)}${narrowed(match, names)}${command.slice(match.index + match[0].length)}`;
  }
  return undefined;
}
