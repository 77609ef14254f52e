import { AGENT_WIRINGS, WIRED_AGENTS, type WiredAgent } from '../install/agent-wirings.ts';
import { type DoctorCheck, REFUSES_ALL } from './doctor-check.ts';

/** The level of protection, described for people. */
export interface Tier {
  tier: 'prevented' | 'detected' | 'none';
  says: string;
  notProtected: string[];
  improve: string[];
}

export interface TierFacts {
  checks: readonly DoctorCheck[];
  /** Agents whose commands run in the shell wrapper. */
  wrappedAgents: readonly WiredAgent[];
  /** The hooks are in the committed settings. */
  shared: boolean;
  /** Other checkouts of the repository without hooks. */
  unwiredCheckouts: readonly string[];
  /** GuardKit is installed inside the project. */
  programInProject: boolean;
}

export function describeTier(facts: TierFacts): Tier {
  const { checks, wrappedAgents, shared, unwiredCheckouts, programInProject } = facts;
  const fails = (id: string) => checks.some((check) => check.id === id && check.outcome === 'fail');
  const holds = (id: string) => checks.some((check) => check.id === id && check.outcome === 'pass');
  const claude = holds('hooks') && holds('settings');
  const others = WIRED_AGENTS.filter(
    (name) => holds(`${name}-hooks`) && holds(`${name}-settings`) && !fails(`${name}-trust`),
  );
  const wired = claude || others.length > 0;
  const sandbox = holds('sandbox');
  const titles = others.map((name) => AGENT_WIRINGS[name].title);
  const agents = [...(claude || others.length === 0 ? ['Claude Code'] : []), ...titles].join(' and ');
  const wrapped = wired && others.every((name) => wrappedAgents.includes(name)) && holds('commands');
  // With hooks disabled, nothing is refused either.
  const refusing = holds('settings') && checks.some(({ code }) => code === REFUSES_ALL);
  return {
    tier: !wired ? 'none' : sandbox ? 'prevented' : 'detected',
    says: tierText({ agents, wired, wrapped, refusing, sandbox }),
    notProtected: [
      ...(wired || refusing
        ? []
        : ['While the hooks do not run, GuardKit sees nothing that agents do in your own sessions.']),
      ...(wired && !wrapped
        ? [
            'Commands in your own sessions run with your rights: changes to agent settings, hooks and shell start-up files are reverted afterwards, not prevented.',
          ]
        : []),
      ...(wired
        ? [
            'Sessions started without the project’s settings (claude --setting-sources, another agent) are not guarded.',
          ]
        : []),
      ...(sandbox
        ? []
        : ['Without a sandbox, agents, set-up and tests that GuardKit starts can write wherever you can.']),
      ...(shared ? ['Hooks in .claude/settings.json do not run in sessions started in a subfolder.'] : []),
      ...(unwiredCheckouts.length > 0
        ? [`Other checkouts of this repository without hooks: ${unwiredCheckouts.slice(0, 3).join(', ')}.`]
        : []),
      ...(programInProject
        ? ['GuardKit is installed inside this project, where an agent can change it.']
        : []),
      'The ledger is a file that you own. Its hash chain and signatures reveal changed entries; only an anchor elsewhere reveals that the newest ones were removed (`guardkit ledger verify`).',
    ],
    improve: [
      ...new Set([
        ...checks.flatMap(({ outcome, hint }) => (outcome === 'pass' || hint === undefined ? [] : [hint])),
        ...(shared ? ['Start agents in the project’s root folder.'] : []),
        ...(programInProject
          ? [
              'Install GuardKit outside the project, as its README describes, then run `guardkit doctor --fix`.',
            ]
          : []),
        ...(unwiredCheckouts.length > 0 ? ['Run `guardkit init --agent claude` in those checkouts.'] : []),
      ]),
    ],
  };
}

interface TierContext {
  /** The agents of the person's own sessions. */
  agents: string;
  wired: boolean;
  wrapped: boolean;
  refusing: boolean;
  sandbox: boolean;
}

function tierText({ agents, wired, wrapped, refusing, sandbox }: TierContext): string {
  const driven = sandbox
    ? 'Agents that GuardKit starts (feature-build) run in a sandbox, in which protected files are read-only.'
    : 'Agents that GuardKit starts (feature-build) run without a sandbox: changes to protected files are detected, reverted and recorded.';
  const own = wrapped
    ? `In your own ${agents} sessions, commands run in a sandbox in which protected files are read-only, and hooks judge every action.`
    : wired
      ? `In your own ${agents} sessions, hooks judge every action, but commands run without a sandbox: changes to agent settings, hooks and shell start-up files are reverted afterwards, and a changed definition needs \`guardkit accept\`.`
      : refusing
        ? `In your own ${agents} sessions, every action is refused until this is fixed.`
        : `Your own ${agents} sessions are not guarded.`;
  return `${driven} ${own}`;
}
