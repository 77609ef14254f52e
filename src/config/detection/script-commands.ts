/** One command of a script, without the variables that it sets and the programs that only start it. */
export interface ScriptCommand {
  /** Such as `vitest`. */
  program: string;
  args: string[];
  /** As it is written. */
  text: string;
}

const STARTERS: ReadonlySet<string> = new Set(['npx', 'bunx', 'cross-env', 'env', 'dotenv', 'time']);

/** The commands that a script runs one after another. Not a shell parser: it is only asked which tool is in use. */
export function scriptCommands(script: string): ScriptCommand[] {
  return script
    .split(/&&|\|\||;|\|/)
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map(readCommand);
}

function readCommand(text: string): ScriptCommand {
  const words = text.split(/\s+/);
  let first = 0;
  for (const word of words) {
    const isStart =
      STARTERS.has(word) ||
      /^[A-Za-z_]\w*=/.test(word) ||
      (first > 0 && /^(?:--yes|-y|--no-install|--no|--)$/.test(word));
    if (!isStart) break;
    first++;
  }
  const program = (words[first] ?? '').replace(/^.*\/(?:bin|\.bin)\//, '');
  return { program, args: words.slice(first + 1), text };
}

/** The scripts of a package that a script calls, itself included; each once. */
export function calledScripts(scripts: Readonly<Record<string, string>>, name: string): string[] {
  const found: string[] = [];
  const pending = [name];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const script = scripts[next];
    if (script === undefined || found.includes(next)) continue;
    found.push(next);
    // Put in front, the last first: scripts are found in the order in which they run.
    for (const { program, args } of scriptCommands(script).reverse()) {
      if (!/^(?:npm|pnpm|yarn|bun|run-s|run-p|npm-run-all)$/.test(program)) continue;
      pending.unshift(
        ...args.map((arg) => (arg === 't' ? 'test' : arg)).filter((arg) => scripts[arg] !== undefined),
      );
    }
  }
  return found;
}

/** The command that gets further arguments of `npm run NAME -- …`: the last one, through the scripts that it calls. */
export function lastCommand(
  scripts: Readonly<Record<string, string>>,
  name: string,
  depth = 0,
): ScriptCommand | undefined {
  const last = scriptCommands(scripts[name] ?? '').at(-1);
  if (!last || depth > 5) return last;
  // Only what hands its arguments on without dashes of its own.
  if (!/^(?:pnpm|yarn|bun)$/.test(last.program)) return last;
  const called = last.args.filter((arg) => arg !== 'run').at(-1);
  if (called !== undefined && scripts[called] !== undefined && called !== name)
    return lastCommand(scripts, called, depth + 1);
  return startedProgram(scripts, last) ?? last;
}

/** The installed program that `pnpm vitest run` or `yarn exec jest` starts. */
function startedProgram(
  scripts: Readonly<Record<string, string>>,
  { args, text }: ScriptCommand,
): ScriptCommand | undefined {
  const [program = '', ...rest] = args[0] === 'exec' ? args.slice(1) : args;
  const isProgram = /^[a-z]/.test(program) && program !== 'run' && scripts[program] === undefined;
  return isProgram ? { program, args: rest, text } : undefined;
}
