import { fitsGlob } from '../../domain/protection/fits-glob.ts';

/** One command of a script, without variables and wrapper programs. */
export interface ScriptCommand {
  /** Such as `vitest`. */
  program: string;
  args: string[];
  /** As it is written. */
  text: string;
}

const STARTERS: ReadonlySet<string> = new Set(['npx', 'bunx', 'cross-env', 'env', 'dotenv', 'time']);

/** The commands of a script, in order. Not a shell parser: it only finds which tool is used. */
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
    // Prepended in reverse, so that scripts are found in execution order.
    for (const { program, args } of scriptCommands(script).reverse()) {
      if (!/^(?:npm|pnpm|yarn|bun|run-s|run-p|npm-run-all)$/.test(program)) continue;
      pending.unshift(
        ...args.flatMap((arg) => {
          if (/[*/]/.test(arg)) return Object.keys(scripts).filter((one) => fitsPattern(one, arg));
          const called = arg === 't' ? 'test' : arg;
          return scripts[called] === undefined ? [] : [called];
        }),
      );
    }
  }
  return found;
}

/** In `run-s test:*`, a colon separates the parts of a name. Of `pnpm run /^test:/`, the start is compared. */
function fitsPattern(name: string, given: string): boolean {
  const pattern = given.replace(/^(["'])(.*)\1$/, '$2');
  const [, start] = /^\/\^([\w:-]+).*\/$/.exec(pattern) ?? [];
  if (start !== undefined) return name.startsWith(start);
  return pattern.includes('*') && fitsGlob(name.replaceAll(':', '/'), pattern.replaceAll(':', '/'));
}

/** The command that receives the arguments of `npm run NAME -- …`: the last one, through nested scripts. */
export function lastCommand(
  scripts: Readonly<Record<string, string>>,
  name: string,
  depth = 0,
): ScriptCommand | undefined {
  const last = scriptCommands(scripts[name] ?? '').at(-1);
  if (!last || depth > 5) return last;
  // Only programs that pass on their arguments without dashes.
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
