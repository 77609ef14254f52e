import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { FEATURE_LIST_PATH } from '../../../domain/protection/protected-paths.ts';
import { type Adopted, adoptFeatureList } from '../../../enforcement/feature-list/adopt-feature-list.ts';
import { currentActor } from '../../../enforcement/feature-list/change-actor.ts';
import { type FeatureListContext, listContext } from '../../../enforcement/feature-list/known-list.ts';
import { listPath } from '../../../enforcement/feature-list/list-file.ts';
import { projectFeatures } from '../../../enforcement/feature-list/project-features.ts';
import {
  AGENT_WIRINGS,
  shellSettings,
  type WiredAgent,
  WRAPPED_AGENTS,
} from '../../../enforcement/install/agent-wirings.ts';
import { hasCodeCache, makeCodeCache } from '../../../enforcement/install/code-cache.ts';
import { markedLedger, markLedger } from '../../../enforcement/install/ledger-mark.ts';
import { launcherParts } from '../../../enforcement/install/own-package.ts';
import { planSessionFiles, planSessionRenewal } from '../../../enforcement/install/session-files.ts';
import { claudeHome, type WiringStep } from '../../../enforcement/install/wire-claude.ts';
import { isMcpWired, MCP_FILE, planMcpWiring } from '../../../enforcement/install/wire-mcp.ts';
import { planShell } from '../../../enforcement/install/wire-shell.ts';
import { noteWired } from '../../../enforcement/install/wired-checkouts.ts';
import { wiringNotices } from '../../../enforcement/install/wiring-notices.ts';
import { git } from '../../../platform/git/git.ts';
import { findGitFolder, type GitFolder } from '../../../platform/git/git-folder.ts';
import { relabelViolations } from '../../../store/ledger/relabel-violations.ts';
import { plural } from '../output/printable.ts';
import type { CliContext } from '../program/cli-command.ts';
import { refuseAgents } from '../verification/person-name.ts';

export interface AgentPlan {
  /** Undefined if no hooks are installed. */
  wiring: readonly WiringStep[] | undefined;
  session: readonly WiringStep[];
  mcp: readonly WiringStep[];
  notices: readonly string[];
}

export interface AgentWish {
  agents: readonly WiredAgent[];
  shared: boolean;
  session: boolean;
  mcp: boolean;
}

/** Plans all changes for an agent, and refuses impossible ones before anything is written. */
export async function planAgent(context: CliContext, root: string, wish: AgentWish): Promise<AgentPlan> {
  const { home } = await context.workspace();
  const launcher = wish.agents.length > 0 ? launcherParts(home) : undefined;
  const person = context.env.HOME ?? homedir();
  const git = findGitFolder(root);
  const shell =
    launcher && git && wish.agents.some((name) => WRAPPED_AGENTS.includes(name))
      ? await planShell({
          settings: shellSettings(wish.agents),
          git,
          dataFolder: home,
          env: context.env,
          home: person,
          claudeHome: claudeHome(context.env, person),
        })
      : undefined;
  return {
    wiring:
      launcher &&
      onlyOnce(
        wish.agents.flatMap((name) =>
          AGENT_WIRINGS[name].plan({ root, launcher, shared: wish.shared || undefined, shell }),
        ),
      ),
    session: wish.session ? planSessionFiles(root) : planSessionRenewal(root),
    // Existing installations are updated.
    mcp:
      wish.mcp || isMcpWired(root)
        ? planMcpWiring({ root, dataFolder: home, shared: wish.shared || undefined })
        : [],
    notices: launcher
      ? [
          ...wiringNotices({ root, launcher, env: context.env, home: person }),
          ...(shell && !shell.ok
            ? [`Agents’ commands run without a sandbox: ${shell.why}. ${shell.install}`]
            : []),
        ]
      : [],
  };
}

/** All agents use the same launcher. */
function onlyOnce(steps: readonly WiringStep[]): WiringStep[] {
  return steps.filter(({ target }, index) => steps.findIndex((one) => one.target === target) === index);
}

/** Makes the code cache for this Node if it is missing. Hooks work without it, so a failure is only a notice. */
export async function compileHooks({ env, progress }: CliContext): Promise<string[]> {
  if (hasCodeCache()) return [];
  progress(`compiling for Node ${process.version} (takes some seconds)`);
  const why = await makeCodeCache(env);
  return why === undefined ? [] : [`Hooks start slowly on this Node. ${why}`];
}

export interface AgentOutcome {
  adopted: Adopted | undefined;
}

/** Adopts an existing feature list and installs the hooks. */
export async function performAgent(
  context: CliContext,
  git: GitFolder,
  project: string | undefined,
  { wiring, session, mcp }: AgentPlan,
): Promise<AgentOutcome> {
  const steps = [...(wiring ?? []), ...session, ...mcp];
  const listed = existsSync(listPath(git.root));
  if (project === undefined || (steps.length === 0 && !listed)) {
    for (const step of steps) step.perform();
    return { adopted: undefined };
  }
  const { home } = await context.workspace();
  // Before the hooks, which refuse everything without a ledger.
  const ledger = await context.ledger();
  relabelViolations(ledger, project);
  if (wiring) await bindLedger(context, home, ledger.file.id);
  const list = listContext(ledger, project, git.root, home);
  const adopted = await adopt(context, list);
  for (const step of steps) step.perform();
  if (wiring) noteWired(ledger, list.checkout, true);
  return { adopted };
}

/** Points the hooks to this ledger. A different one lacks the project's records, so an agent may not change it. */
async function bindLedger(context: CliContext, home: string, id: string): Promise<void> {
  const marked = markedLedger(home);
  if (marked !== undefined && marked !== id) await refuseAgents(context, 'point the hooks to another ledger');
  markLedger(home, id);
}

async function adopt(context: CliContext, list: FeatureListContext): Promise<Adopted> {
  const changedBy = currentActor(list, context.env);
  const adopted = await adoptFeatureList(list, changedBy);
  await projectFeatures(list, changedBy, { create: false });
  return adopted;
}

export function describeAdopted({ adopted, proven, unproven, rewritten }: Adopted): string[] {
  if (adopted.length === 0) return rewritten ? [`${FEATURE_LIST_PATH} was rewritten.`] : [];
  const several = unproven.length === 1 ? 'it is' : 'they are';
  return [
    `${FEATURE_LIST_PATH}: ${plural(adopted.length, 'feature')} adopted.`,
    ...(proven.length > 0 ? [`  tested, with evidence: ${proven.join(', ')}`] : []),
    ...(unproven.length > 0
      ? [
          `  marked tested without evidence: ${unproven.join(', ')}; ${several} untested until \`guardkit verify\` passes`,
        ]
      : []),
  ];
}

/** What to do with .mcp.json if git neither tracks nor ignores it. */
export async function describeMcpFile(root: string, { mcp }: Pick<AgentPlan, 'mcp'>): Promise<string[]> {
  if (mcp.length === 0 || !(await isUndecided(root, MCP_FILE))) return [];
  const ofThisMachine = mcp.some(({ path }) => path !== MCP_FILE);
  return [
    ofThisMachine
      ? `${MCP_FILE} is not in git and contains a path of this machine: add ${MCP_FILE} to .gitignore or .git/info/exclude. For a team, \`guardkit init --mcp --shared\` writes a version that can be committed.`
      : `${MCP_FILE} is not in git yet; commit it so that the team gets the tools.`,
  ];
}

/** The same for the hooks of agents that have no settings file for one person only. */
export async function describeAgentFiles(
  root: string,
  { wiring = [] }: Pick<AgentPlan, 'wiring'>,
): Promise<string[]> {
  const found: string[] = [];
  for (const [name, { file }] of Object.entries(AGENT_WIRINGS))
    if (file !== undefined && wiring.some(({ path }) => path === file) && (await isUndecided(root, file)))
      found.push(
        `${file} is not in git. With a path of this machine in it, add it to .git/info/exclude; \`guardkit init --agent ${name} --shared\` writes a version that can be committed.`,
      );
  return found;
}

async function isUndecided(root: string, file: string): Promise<boolean> {
  const { exitCode, stdout } = await git(root, ['ls-files', '--others', '--exclude-standard', '--', file]);
  // No advice if git fails.
  return exitCode === 0 && stdout.trim() !== '';
}
