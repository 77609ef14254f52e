import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { GitFolder } from '../../platform/git/git-folder.ts';
import { AGENT_WIRINGS, shellSettings, WIRED_AGENTS, wiredAgents } from '../install/agent-wirings.ts';
import { hasCodeCache, makeCodeCache } from '../install/code-cache.ts';
import { markedLedger, markLedger } from '../install/ledger-mark.ts';
import { mcpLauncherPath, mcpLauncherStep } from '../install/mcp-launcher.ts';
import { launcherParts } from '../install/own-package.ts';
import { planSessionRenewal } from '../install/plan-session-files.ts';
import { claudeHome, type WiringStep } from '../install/wire-claude.ts';
import { planShell } from '../install/wire-shell.ts';
import { isWired } from '../install/wired-checkouts.ts';
import type { DoctorContext } from './diagnose.ts';

export interface Repair {
  /** Repairs that were, or would be, made; one line each. */
  done: string[];
  /** Failed repairs with their reasons. */
  failed: string[];
  /** Written files. */
  steps: WiringStep[];
}

/**
 * Repairs what GuardKit itself wrote: the launcher, whose Node an upgrade may have removed, the hooks if they are installed,
 * the session files, and the tables of features and learned guards. A person's files stay unchanged.
 */
export async function repair(context: DoctorContext, git: GitFolder, dryRun: boolean): Promise<Repair> {
  const result: Repair = { done: [], failed: [], steps: [] };
  const attempt = async (what: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      result.failed.push(`${what}: ${error instanceof Error ? error.message : error}`);
    }
  };
  await attempt('the code cache', async () => {
    if (!isWired(git.root) || hasCodeCache()) return;
    context.progress('compiling the program for this Node');
    const why = dryRun ? undefined : await makeCodeCache(context.env);
    if (why !== undefined) throw new Error(why);
    result.done.push(`code cache created for Node ${process.version}`);
  });
  await attempt('the hooks', async () => {
    if (!isWired(git.root)) return;
    const { home } = await context.workspace();
    const person = context.env.HOME ?? homedir();
    const shell = await planShell({
      git,
      dataFolder: home,
      env: context.env,
      home: person,
      claudeHome: claudeHome(context.env, person),
      settings: shellSettings(wiredAgents(git.root)),
    });
    const launcher = launcherParts(home);
    const steps = [
      ...wiredAgents(git.root).flatMap((name) =>
        AGENT_WIRINGS[name].plan({ root: git.root, launcher, shell }),
      ),
      ...(existsSync(mcpLauncherPath(home)) ? [mcpLauncherStep(home)] : []),
    ].filter(({ action }) => action !== 'keep');
    for (const step of steps) {
      if (!dryRun) step.perform();
      result.done.push(`${step.path} rewritten`);
    }
    result.steps.push(...steps);
  });
  await attempt('the session files', async () => {
    const steps = WIRED_AGENTS.flatMap((name) => {
      const { session } = AGENT_WIRINGS[name];
      return session ? planSessionRenewal(git.root, session) : [];
    });
    for (const step of steps) {
      if (!dryRun) step.perform();
      result.done.push(`${step.path} rewritten`);
    }
    result.steps.push(...steps);
  });
  await attempt('the ledger', async () => {
    if (!isWired(git.root)) return;
    const { home } = await context.workspace();
    const gone = !statSync(join(home, 'ledger.db'), { throwIfNoEntry: false })?.size;
    const id = gone && dryRun ? undefined : (await context.ledger()).file.id;
    if (gone) result.done.push('new ledger created; the old records are lost');
    else if (markedLedger(home) !== id) result.done.push('hooks now use the existing ledger');
    if (!dryRun && id !== undefined) markLedger(home, id);
  });
  await attempt('the tables', async () => {
    const { home, project } = await context.workspace();
    if (!project.known || !existsSync(join(home, 'ledger.db'))) return;
    const ledger = await context.ledger();
    if (!ledger.verify(project.id).ok) return;
    const { differingFeatures, rebuildFeatures } = await import('../../store/ledger/tables/feature-table.ts');
    const differing = dryRun ? differingFeatures(ledger, project.id) : rebuildFeatures(ledger, project.id);
    if (differing.length > 0) result.done.push(`features rebuilt from the ledger: ${differing.join(', ')}`);
    const { differingGuards, rebuildGuards } = await import(
      '../../store/ledger/tables/learned-guards-chain.ts'
    );
    const guards = dryRun ? differingGuards(ledger, project.id) : rebuildGuards(ledger, project.id);
    if (guards.length > 0) result.done.push(`learned guards rebuilt from the ledger: ${guards.join(', ')}`);
    const { mislabelled, relabelViolations } = await import('../../store/ledger/relabel-violations.ts');
    const count = dryRun ? mislabelled(ledger, project.id).length : relabelViolations(ledger, project.id);
    if (count > 0)
      result.done.push(`${count} earlier violations labelled “author unknown”; they no longer count`);
  });
  return result;
}
