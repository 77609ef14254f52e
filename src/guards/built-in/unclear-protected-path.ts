import type { CommandAction } from '../action.ts';
import { onlyReadsNamed } from '../command/code/reading-positions.ts';
import type { Language } from '../command/code/tokenize-code.ts';
import type { Invocation } from '../command/command-analysis.ts';
import { namedProtection } from '../named-protection.ts';
import { hasWritingOption, isInterpreter, isUnderstood, mayWrite, onlyChecks } from '../program-kinds.ts';

export interface UncertainMention {
  what: string;
  why: string;
}

/** Finds a protected path that a command names without showing what it does with it. */
export function uncertainMention(action: CommandAction, dataFolder: string): UncertainMention | undefined {
  const { analysis, command, reaches } = action;
  if (!analysis.ok && namedProtection(command, dataFolder) !== undefined)
    return { what: 'a file', why: analysis.unclear[0] ?? 'GuardKit cannot parse it' };
  const mentioned = new Set(
    reaches
      .filter(({ file, mode }) => mode === 'mention' && file.protectedAs !== undefined)
      .map(({ by }) => by),
  );
  for (const invocation of analysis.invocations) {
    const named = namedBy(invocation, dataFolder);
    if (named === undefined && (!mentioned.has(invocation.program) || namesInput(invocation, dataFolder)))
      continue;
    const why = doubt(invocation, dataFolder, mentioned.has(invocation.program));
    if (why !== undefined) return { what: named ?? 'a file', why };
  }
  if (analysis.unclear.length === 0) return undefined;
  const loose = analysis.literals.find(
    (literal) =>
      namedProtection(literal, dataFolder) !== undefined && !isAccounted(literal, action, dataFolder),
  );
  return loose === undefined ? undefined : { what: brief(loose), why: analysis.unclear[0] ?? '' };
}

/** The word of an invocation that names a protected path. */
function namedBy(invocation: Invocation, dataFolder: string): string | undefined {
  const { argv, stdin, env, program } = invocation;
  const script = executed(invocation);
  // A protected script may receive any arguments: no agent has changed it.
  if (script !== undefined && namedProtection(script, dataFolder) !== undefined) return undefined;
  const words = [...argv.slice(1), ...Object.values(env)].filter((word) => word !== script);
  // Input is only text to a program, unless the program runs it.
  if (stdin !== undefined && isInterpreter({ program })) words.push(stdin);
  const word = words.find(
    (one, at) =>
      namedProtection(one, dataFolder) !== undefined && !INPUT.test(`${words[at - 1] ?? ''} ${one}`),
  );
  return word === undefined ? undefined : brief(word);
}

function namesInput({ argv }: Invocation, dataFolder: string): boolean {
  return argv.some(
    (word, at) =>
      namedProtection(word, dataFolder) !== undefined && INPUT.test(`${argv[at - 1] ?? ''} ${word}`),
  );
}

/** The file that an invocation executes. */
function executed({ program, argv }: Pick<Invocation, 'program' | 'argv'>): string | undefined {
  if (argv[0]?.includes('/') === true && !SHELL.test(program) && !isInterpreter({ program })) return argv[0];
  if (!SHELL.test(program) && !isInterpreter({ program })) return undefined;
  if (argv.some((word) => INLINE.test(word) || /^-[a-z]*c$/.test(word))) return undefined;
  return argv.slice(1).find((word) => !word.startsWith('-'));
}

/** Options with an input file. */
const INPUT =
  /^--?(?:config|conf|cfg|input|in|schema|from|source)[ =]|^\S* --?(?:config|conf|cfg|input|schema)=/;
const SHELL = /^(?:bash|sh|zsh|dash|ksh|fish|source|\.)$/;
/** Words in the names of scripts that only read their arguments. */
const CHECKING =
  /(?:^|[^a-z])(?:lint|check|valid|validate|validator|verify|show|print|list|report|stats?|count|parse|inspect|view|read|diff|test)(?:[^a-z]|$)/i;

/** Why the program may change the path it names; undefined if it only reads. */
function doubt(invocation: Invocation, dataFolder: string, mentioned = false): string | undefined {
  const { program } = invocation;
  if (isUnderstood(invocation) || onlyChecks(invocation)) return undefined;
  const script = executed(invocation);
  if (script !== undefined && CHECKING.test(script.slice(script.lastIndexOf('/') + 1))) return undefined;
  if (isInterpreter(invocation)) return judgeCode(invocation, dataFolder, mentioned);
  if (RUNS_OTHERS.test(program) || program.includes('/') || /\.\w+$/.test(program))
    return `${program} runs other programs`;
  return hasWritingOption(invocation) ? `${program} may write to it` : undefined;
}

const RUNS_OTHERS =
  /^(?:npm|npx|pnpm|yarn|bunx|make|gmake|just|rake|ant|mvn|gradle|gradlew|cargo|go|task|bash|sh|zsh|dash|ksh|fish|source|\.|eval|exec|xargs|parallel|ssh|docker|podman|expect|script|…)$/;

function judgeCode(invocation: Invocation, dataFolder: string, mentioned: boolean): string | undefined {
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
  const named = (text: string) => namedProtection(text, dataFolder) !== undefined;
  const texts = [...argv.slice(1), invocation.stdin ?? ''];
  if (!mentioned && texts.every((text) => !named(text) || onlyReadsNamed(text, languageOf(program), named)))
    return undefined;
  return mayWrite(invocation) ? `its ${program} code may write to it` : undefined;
}

function languageOf(program: string): Language {
  if (/^(?:python|pypy)/.test(program)) return 'python';
  return /^(?:node|nodejs|bun|deno|tsx|ts-node)$/.test(program) ? 'javascript' : 'other';
}

const INLINE = /^(?:-[A-Za-z]*[cepEr]|--eval|--print|eval|-)$/;

/** Whether a literal is an argument or input of an invocation that was already judged. */
function isAccounted(literal: string, { analysis, reaches }: CommandAction, dataFolder: string): boolean {
  const named = analysis.invocations.some(
    (invocation) =>
      (isUnderstood(invocation) ||
        executed(invocation)?.includes(literal) === true ||
        namesInput(invocation, dataFolder) ||
        (isInterpreter(invocation) && doubt(invocation, dataFolder) === undefined)) &&
      [...invocation.argv, invocation.stdin ?? ''].some((word) => word.includes(literal)),
  );
  return (
    named ||
    reaches.some(
      ({ file, mode, by }) =>
        file.given.endsWith(literal) &&
        ((mode === 'read' && by === '<') || (by === 'git' && mode !== 'mention')),
    )
  );
}

function brief(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= 80 ? line : 'a file';
}
