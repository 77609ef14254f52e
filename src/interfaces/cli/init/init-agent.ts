import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { FEATURE_LIST_PATH } from '../../../domain/protection/protected-paths.ts';
import { type Adopted, adoptFeatureList } from '../../../enforcement/feature-list/adopt-feature-list.ts';
import { currentActor } from '../../../enforcement/feature-list/change-actor.ts';
import { type FeatureListContext, listContext } from '../../../enforcement/feature-list/known-list.ts';
import { listPath } from '../../../enforcement/feature-list/list-file.ts';
import { projectFeatures } from '../../../enforcement/feature-list/project-features.ts';
import {
  AGENT_WIRINGS,
  shellSettings,
  WIRED_AGENTS,
  type WiredAgent,
  WRAPPED_AGENTS,
} from '../../../enforcement/install/agent-wirings.ts';
import { hasCodeCache, makeCodeCache } from '../../../enforcement/install/code-cache.ts';
import { markedLedger, markLedger } from '../../../enforcement/install/ledger-mark.ts';
import { launcherParts } from '../../../enforcement/install/own-package.ts';
import { planSessionFiles, planSessionRenewal } from '../../../enforcement/install/plan-session-files.ts';
import { CODEX_CONFIG, planCodexSandbox } from '../../../enforcement/install/project-files/codex-config.ts';
import { GEMINI_ENV, hiddenEnvFile } from '../../../enforcement/install/project-files/gemini-env.ts';
import { claudeHome, type WiringStep } from '../../../enforcement/install/wire-claude.ts';
import { planShell, shellContext } from '../../../enforcement/install/wire-shell.ts';
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
  const codex =
    launcher && git && wish.agents.includes('codex')
      ? await planCodexSandbox(
          shellContext({
            git,
            dataFolder: home,
            env: context.env,
            home: person,
            claudeHome: claudeHome(context.env, person),
          }),
          context.env.CODEX_HOME ?? join(person, '.codex'),
        )
      : undefined;
  return {
    wiring:
      launcher &&
      onlyOnce(
        wish.agents.flatMap((name) =>
          AGENT_WIRINGS[name].plan({ root, launcher, shared: wish.shared || undefined, shell, codex }),
        ),
      ),
    session: planSession(root, wish),
    mcp: planMcp(root, home, wish),
    notices: launcher
      ? [
          ...wiringNotices({ root, launcher, env: context.env, home: person }),
          ...(shell && !shell.ok
            ? [`Agents’ commands run without a sandbox: ${shell.why}. ${shell.install}`]
            : []),
          ...(shell?.ok && !wish.shared && wish.agents.includes('gemini')
            ? hiddenVariables(root, person)
            : []),
          ...(codex && !codex.ok
            ? [`Codex’s sandbox does not make GuardKit’s protected files read-only: ${codex.why}.`]
            : []),
        ]
      : [],
  };
}

function hiddenVariables(root: string, person: string): string[] {
  const hidden = hiddenEnvFile(root, person);
  if (hidden === undefined) return [];
  return [
    `Gemini CLI’s commands run without a sandbox: ${GEMINI_ENV}, which starts it, would hide ${hidden}. Move your variables to ${GEMINI_ENV} in this project and run the command again.`,
  ];
}

/** The agents that get tools, skills and commands: without hooks, Claude Code. */
function servedAgents({ agents }: Pick<AgentWish, 'agents'>): readonly WiredAgent[] {
  return agents.length > 0 ? agents : ['claude'];
}

/** Existing files are updated. */
function planSession(root: string, wish: AgentWish): WiringStep[] {
  return WIRED_AGENTS.flatMap((name) => {
    const { session } = AGENT_WIRINGS[name];
    if (!session) return [];
    const wanted = wish.session && servedAgents(wish).includes(name);
    return wanted ? planSessionFiles(root, session) : planSessionRenewal(root, session);
  });
}

/** Existing installations are updated. */
function planMcp(root: string, dataFolder: string, wish: AgentWish): WiringStep[] {
  return onlyOnce(
    WIRED_AGENTS.flatMap((name) => {
      const { mcp } = AGENT_WIRINGS[name];
      if (!mcp) return [];
      const wanted = (wish.mcp && servedAgents(wish).includes(name)) || mcp.isWired(root);
      return wanted ? mcp.plan({ root, dataFolder, shared: wish.shared || undefined }) : [];
    }),
  );
}

/** All agents use the same launcher. */
function onlyOnce(steps: readonly WiringStep[]): WiringStep[] {
  return steps.filter(({ target }, index) => steps.findIndex((one) => one.target === target) === index);
}

/** Makes the code cache for this Node if it is missing. Hooks work without it, so a failure is only a notice. */
export async function compileHooks({ env, progress }: CliContext): Promise<string[]> {
  if (hasCodeCache()) return [];
  progress(`compiling for Node ${process.version} (takes a few seconds)`);
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

/** Advice about the files that list the tools, if git neither tracks nor ignores them. */
export async function describeMcpFile(root: string, { mcp }: Pick<AgentPlan, 'mcp'>): Promise<string[]> {
  const found: string[] = [];
  for (const name of WIRED_AGENTS) {
    const file = AGENT_WIRINGS[name].mcp?.file;
    // The hooks are in the same file.
    const described = file === undefined || file === AGENT_WIRINGS[name].file;
    if (described || !mcp.some(({ path }) => path === file) || !(await isUndecided(root, file))) continue;
    const ofThisMachine = mcp.some(({ path }) => path.startsWith('/'));
    const agent = name === 'claude' ? '' : ` --agent ${name}`;
    found.push(
      ofThisMachine
        ? `${file} is not in git and contains a path on this machine: add ${file} to .gitignore or .git/info/exclude. For a team, \`guardkit init${agent} --mcp --shared\` writes a version that can be committed.`
        : `${file} is not in git yet; commit it so that the team gets the tools.`,
    );
  }
  return found;
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
        `${file} is not in git. If it contains a path on this machine, add it to .git/info/exclude; \`guardkit init --agent ${name} --shared\` writes a version that can be committed.`,
      );
  for (const file of [CODEX_CONFIG, GEMINI_ENV])
    if (wiring.some(({ path }) => path === file) && (await isUndecided(root, file)))
      found.push(`${file} contains paths on this machine for the sandbox: add it to .git/info/exclude.`);
  return found;
}

async function isUndecided(root: string, file: string): Promise<boolean> {
  const { exitCode, stdout } = await git(root, ['ls-files', '--others', '--exclude-standard', '--', file]);
  // No advice if git fails.
  return exitCode === 0 && stdout.trim() !== '';
}
