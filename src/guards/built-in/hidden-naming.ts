import type { CommandAction } from '../action.ts';
import type { Invocation } from '../command/command-analysis.ts';
import { namedProtection } from '../named-protection.ts';
import { hasWritingOption, isInterpreter, isUnderstood, mayWrite, onlyChecks } from '../program-kinds.ts';

export interface HiddenNaming {
  what: string;
  why: string;
}

/** A protected path that a command names without showing what becomes of it. */
export function hiddenNaming(action: CommandAction, dataFolder: string): HiddenNaming | undefined {
  const { analysis, command, reaches } = action;
  if (!analysis.ok && namedProtection(command, dataFolder) !== undefined)
    return { what: 'something', why: analysis.unclear[0] ?? 'it cannot be read' };
  const mentioned = new Set(
    reaches
      .filter(({ file, mode }) => mode === 'mention' && file.protectedAs !== undefined)
      .map(({ by }) => by),
  );
  for (const invocation of analysis.invocations) {
    const named = namedBy(invocation, dataFolder);
    if (named === undefined && !mentioned.has(invocation.program)) continue;
    const why = doubt(invocation);
    if (why !== undefined) return { what: named ?? 'something', why };
  }
  if (analysis.unclear.length === 0) return undefined;
  const loose = analysis.literals.find(
    (literal) => namedProtection(literal, dataFolder) !== undefined && !isAccounted(literal, action),
  );
  return loose === undefined ? undefined : { what: brief(loose), why: analysis.unclear[0] ?? '' };
}

/** What of its words names something protected. */
function namedBy({ argv, stdin, env, program }: Invocation, dataFolder: string): string | undefined {
  const words = [...argv.slice(1), ...Object.values(env)];
  // What a program reads is text to it, unless it runs what it reads.
  if (stdin !== undefined && isInterpreter({ program })) words.push(stdin);
  const word = words.find((one) => namedProtection(one, dataFolder) !== undefined);
  return word === undefined ? undefined : brief(word);
}

/** Why nobody can tell that the program only reads what it names. */
function doubt(invocation: Invocation): string | undefined {
  const { program } = invocation;
  if (isUnderstood(invocation) || onlyChecks(invocation)) return undefined;
  if (isInterpreter(invocation)) return judgeCode(invocation);
  if (RUNS_OTHERS.test(program) || program.includes('/') || /\.\w+$/.test(program))
    return `${program} runs something else`;
  return hasWritingOption(invocation) ? `${program} may write it` : undefined;
}

const RUNS_OTHERS =
  /^(?:npm|npx|pnpm|yarn|bunx|make|gmake|just|rake|ant|mvn|gradle|gradlew|cargo|go|task|bash|sh|zsh|dash|ksh|fish|source|\.|eval|exec|xargs|parallel|ssh|docker|podman|expect|script|…)$/;

function judgeCode(invocation: Invocation): string | undefined {
  const { program, argv } = invocation;
  // `python -m json.tool FILE` prints; with a second file it writes that one.
  if (
    argv[1] === '-m' &&
    argv[2] === 'json.tool' &&
    argv.slice(3).filter((word) => !word.startsWith('-')).length < 2
  )
    return undefined;
  const inline = argv.some((word) => INLINE.test(word)) || invocation.stdin !== undefined;
  if (!inline && program !== 'sqlite3') return `${program} runs a script`;
  return mayWrite(invocation) ? `the code for ${program} may write it` : undefined;
}

const INLINE = /^(?:-[A-Za-z]*[cepEr]|--eval|--print|eval|-)$/;

/** It is the argument of something that is understood, or what a program is given to read, and there it was judged. */
function isAccounted(literal: string, { analysis, reaches }: CommandAction): boolean {
  const named = analysis.invocations.some(
    (invocation) =>
      (isUnderstood(invocation) || (isInterpreter(invocation) && doubt(invocation) === undefined)) &&
      [...invocation.argv, invocation.stdin ?? ''].some((word) => word.includes(literal)),
  );
  return (
    named ||
    reaches.some(({ file, mode, by }) => mode === 'read' && by === '<' && file.given.endsWith(literal))
  );
}

function brief(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= 80 ? line : 'something';
}
