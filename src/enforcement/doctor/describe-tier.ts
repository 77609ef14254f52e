import { type DoctorCheck, REFUSES_ALL } from './doctor-check.ts';

/** What holds here, in words for people. */
export interface Tier {
  tier: 'prevented' | 'detected' | 'none';
  says: string;
  notProtected: string[];
  improve: string[];
}

export interface TierFacts {
  checks: readonly DoctorCheck[];
  /** The hooks stand in the settings that are committed. */
  shared: boolean;
  /** Other working trees of the repository, in which nothing asks GuardKit. */
  unwiredCheckouts: readonly string[];
  /** GuardKit's own program lies in the project. */
  programInProject: boolean;
}

export function describeTier({ checks, shared, unwiredCheckouts, programInProject }: TierFacts): Tier {
  const holds = (id: string) => checks.some((check) => check.id === id && check.outcome === 'pass');
  const wired = holds('hooks') && holds('settings');
  const sandbox = holds('sandbox');
  const wrapped = wired && holds('commands');
  // Settings that turn hooks off turn off their refusing too.
  const refusing = holds('settings') && checks.some(({ code }) => code === REFUSES_ALL);
  return {
    tier: !wired ? 'none' : sandbox ? 'prevented' : 'detected',
    says: tierText({ wired, wrapped, refusing, sandbox }),
    notProtected: [
      ...(wired || refusing
        ? []
        : ['Nothing that an agent does here in a session of yours is looked at while hooks do not fire.']),
      ...(wired && !wrapped
        ? [
            'Commands of your own sessions run with your rights: a change to agent settings, hooks and shell start-up files is restored afterwards, not prevented.',
          ]
        : []),
      ...(wired
        ? [
            'A session that you start without the project’s settings (claude --setting-sources, another agent) asks nobody.',
          ]
        : []),
      ...(sandbox
        ? []
        : ['Agents, set-up and tests that GuardKit starts can write wherever you can: there is no sandbox.']),
      ...(shared
        ? ['Hooks in .claude/settings.json do not run in a session that is started in a subfolder.']
        : []),
      ...(unwiredCheckouts.length > 0
        ? [`Other working trees of this repository: ${unwiredCheckouts.slice(0, 3).join(', ')}.`]
        : []),
      ...(programInProject
        ? ['GuardKit’s own program lies in this project, where an agent can change it.']
        : []),
      'The record is a file of yours. Its chain shows what was changed in it, but not that somebody made all of it anew.',
    ],
    improve: [
      ...new Set([
        ...checks.flatMap(({ outcome, hint }) => (outcome === 'pass' || hint === undefined ? [] : [hint])),
        ...(shared ? ['Start agents at the top of the project.'] : []),
        ...(programInProject
          ? [
              'Install GuardKit outside of the project (npm install -g guardkit), then `guardkit doctor --fix`.',
            ]
          : []),
        ...(unwiredCheckouts.length > 0
          ? ['Run `guardkit init --agent claude` in those working trees.']
          : []),
      ]),
    ],
  };
}

interface TierContext {
  wired: boolean;
  wrapped: boolean;
  refusing: boolean;
  sandbox: boolean;
}

function tierText({ wired, wrapped, refusing, sandbox }: TierContext): string {
  const driven = sandbox
    ? 'Agents that GuardKit starts (feature-build) run in a sandbox: what they must not change, they cannot.'
    : 'Agents that GuardKit starts (feature-build) are held without a sandbox: what they must not change is found, put back and recorded.';
  const own = wrapped
    ? 'In your own sessions of Claude Code, commands run in a sandbox in which protected files are read-only, and hooks judge every action.'
    : wired
      ? 'In your own sessions of Claude Code, hooks judge every action, but commands run without a sandbox: a change to agent settings, hooks and shell start-up files is restored afterwards, and a changed definition needs `guardkit accept`.'
      : refusing
        ? 'Your own sessions of Claude Code can do nothing: all that an agent does is refused until this is mended.'
        : 'Your own sessions of Claude Code are not held.';
  return `${driven} ${own}`;
}
