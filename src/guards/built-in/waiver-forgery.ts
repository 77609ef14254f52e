import type { Invocation } from '../command/command-analysis.ts';
import type { Guard } from '../guard.ts';

/** Commands that are reserved for a person. */
export const PERSON_ONLY: readonly (readonly [words: readonly string[], what: string])[] = [
  [['guard', 'allow'], 'waive a guard'],
  [['guard', 'revoke'], 'revoke a waiver'],
  [['guard', 'promote'], 'promote a guard'],
  [['guard', 'retire'], 'retire a guard'],
  [['guard', 'share'], 'share with all projects'],
  [['accept'], 'accept changes'],
  [['feature', 'complete'], 'merge a feature'],
  [['feature', 'discard'], 'discard a feature'],
  [['feature', 'unblock'], 'unblock a feature'],
  [['task', 'reset'], 'reset a task'],
  [['uninstall'], 'uninstall GuardKit'],
  [['pause'], 'pause GuardKit'],
  [['resume'], 'resume GuardKit'],
  [['restore'], 'restore files'],
];

export const waiverForgery: Guard = {
  id: 'waiver-forgery',
  summary: 'Agents do not run the GuardKit commands that are reserved for a person.',
  origin: 'built-in',
  mode: 'enforce',
  drivenOnly: false,
  kinds: ['command'],
  expires: undefined,
  judge(action) {
    if (action.kind !== 'command') return undefined;
    for (const invocation of action.analysis.invocations) {
      const what = personOnlyAct(invocation);
      if (what !== undefined)
        return {
          decision: 'deny',
          reason: `Only a person may ${what}, in their own terminal.`,
          guidance: 'Say in your answer what you need and why, and continue with the rest.',
        };
    }
    return undefined;
  },
};

function personOnlyAct({ program, argv }: Invocation): string | undefined {
  const words = guardkitWords(program, argv);
  if (words === undefined || words.some((word) => HARMLESS.has(word))) return undefined;
  const named = words.filter((word) => !word.startsWith('-'));
  const found = PERSON_ONLY.find(([command]) => command.every((word, index) => named[index] === word));
  // Without a path, `restore` only lists versions.
  if (found && !(found[0][0] === 'restore' && named.length === 1)) return found[1];
  const vouches = words.some((word) => /^--vouch(?:$|=)/.test(word));
  return vouches ? 'vouch for a gate' : undefined;
}

const HARMLESS: ReadonlySet<string> = new Set(['--help', '-h', '--dry-run', '--diff']);

/** The arguments of `guardkit`, however it is started. */
function guardkitWords(program: string, argv: readonly string[]): readonly string[] | undefined {
  if (isGuardKit(program)) return argv.slice(1);
  if (!STARTERS.test(program)) return undefined;
  const at = argv.findIndex((word, index) => index > 0 && isGuardKit(word.slice(word.lastIndexOf('/') + 1)));
  return at === -1 ? undefined : argv.slice(at + 1);
}

const STARTERS = /^(?:node|nodejs|bun|bunx|deno|npx|npm|pnpm|yarn|script|expect|unbuffer|tmux|screen|tsx)$/;

function isGuardKit(name: string): boolean {
  return name === 'guardkit' || /^guardkit(?:\.[cm]?js|@.*)$/.test(name);
}
