import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { MERGE_DRIVER } from '../../../architecture/file/graph-file.ts';
import { GITIGNORE_HEADING, GITIGNORE_LINES } from '../../../config/project/config-templates.ts';
import { FEATURE_LIST_PATH } from '../../../domain/protection/protected-paths.ts';
import {
  AGENT_WIRINGS,
  isShellUsed,
  WIRED_AGENTS,
  type WiredAgent,
  WRAPPED_AGENTS,
  wiredAgents,
} from '../../../enforcement/install/agent-wirings.ts';
import { coldLauncherPath, launcherPath } from '../../../enforcement/install/hook-launcher.ts';
import { unmarkLedger } from '../../../enforcement/install/ledger-mark.ts';
import { mcpLauncherPath } from '../../../enforcement/install/mcp-launcher.ts';
import { planSessionRemoval } from '../../../enforcement/install/plan-session-files.ts';
import type { WiringStep } from '../../../enforcement/install/wire-claude.ts';
import { planShellRemoval } from '../../../enforcement/install/wire-shell.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { writeFileAtomic } from '../../../platform/files/atomic-file.ts';
import { removeTree } from '../../../platform/files/file-trees.ts';
import { findGitFolder } from '../../../platform/git/git-folder.ts';
import { Repository } from '../../../platform/git/repository.ts';
import { confirm } from '../input/questions.ts';
import { changedPaths, describeStep } from '../output/describe-step.ts';
import { plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { ownFiles, unlistedFiles } from '../protection/own-files.ts';
import { requirePerson } from '../verification/person-name.ts';
import { agentTitles } from './choose-agents.ts';

export const uninstall = defineCommand({
  name: 'uninstall',
  summary: 'Remove GuardKit’s hooks from agents (person only)',
  options: [
    ['--agent <name>', `Only from this agent: ${WIRED_AGENTS.join(', ')}`, 'repeatable'],
    ['--purge', 'Also delete .guardkit/ and GuardKit’s .gitignore lines'],
  ],
  changes: true,
  schema: z.object({
    agent: z
      .array(z.enum(WIRED_AGENTS, `expected one of ${WIRED_AGENTS.join(', ')}`))
      .default([...WIRED_AGENTS]),
    purge: z.boolean().default(false),
    dryRun: z.boolean().default(false),
  }),
  run: runUninstall,
});

async function runUninstall(
  context: CliContext,
  { agent: agents, purge, dryRun }: { agent: readonly WiredAgent[]; purge: boolean; dryRun: boolean },
): Promise<Report> {
  const git = findGitFolder(context.cwd);
  if (!git) throw notARepository();
  const { home } = await context.workspace();
  const leftovers = projectLeftovers(git.root);
  const steps = [
    ...agents.flatMap((name) => AGENT_WIRINGS[name].planRemoval(git.root, { git, dataFolder: home })),
    ...(agents.some((name) => WRAPPED_AGENTS.includes(name))
      ? planShellRemoval(git, home, isShellUsed(git, home, agents))
      : []),
    ...agents.flatMap((name) => {
      const { session, mcp } = AGENT_WIRINGS[name];
      return [
        ...(session ? planSessionRemoval(git.root, session) : []),
        ...(mcp?.planRemoval(git.root) ?? []),
      ];
    }),
    ...(purge ? leftovers.steps : []),
  ];
  const kept = await keptInRepository(git.root);
  const left = [...(purge ? [] : leftovers.left), ...kept, `records of all projects in ${home}`];
  const purgeable = !purge && leftovers.left.length > 0;
  const changing = steps.filter(({ action }) => action !== 'keep');
  if (changing.length === 0)
    return {
      json: report(agents, [], left, false),
      text: [
        `No hooks ${agents.length < WIRED_AGENTS.length ? `for ${agentTitles(agents)} ` : ''}are installed here; nothing changed.`,
        ...describeLeft(left.length > 1 ? left : [], purgeable),
      ].join('\n'),
    };
  if (dryRun)
    return {
      json: report(agents, steps, left, true),
      text: [...steps.map((step) => describeStep(step, true)), ...describeLeft(left, purgeable)].join('\n'),
    };
  requirePerson(context, 'uninstall GuardKit');
  const question = `Agents in ${git.root} will no longer be checked: ${plural(changing.length, 'file')} will change.${
    purge && leftovers.files.length > 0
      ? ` .guardkit/ will be deleted with ${plural(leftovers.files.length, 'file')}, committed or not.`
      : ''
  } Continue?`;
  if (!(await confirm(context, question))) throw declined();
  for (const step of steps) step.perform();
  const remaining = wiredAgents(git.root);
  const launcher =
    remaining.length > 0
      ? { step: undefined, notices: [] }
      : await removeLauncher(context, realpathSync(git.root));
  const all = [...steps, ...(launcher.step ? [launcher.step] : [])];
  await acceptChanges(context, all, purge ? leftovers.files : []);
  return {
    json: report(agents, all, left, false),
    text: [
      ...all.map((step) => describeStep(step, false)),
      ...launcher.notices,
      ...describeLeft(left, purgeable),
      '`guardkit init --agent claude` installs the hooks again.',
    ].join('\n'),
  };
}

/** The launcher serves all projects of this machine, so it is removed with the last one. */
async function removeLauncher(
  context: CliContext,
  checkout: string,
): Promise<{ step: WiringStep | undefined; notices: string[] }> {
  const { home } = await context.workspace();
  const path = launcherPath(home);
  if (!existsSync(path)) return { step: undefined, notices: [] };
  try {
    const others = await otherProjects(context, home, checkout);
    if (others.length > 0)
      return {
        step: undefined,
        notices: [`  kept ${path}, which is used in ${others.slice(0, 3).join(', ')}`],
      };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { step: undefined, notices: [`  kept ${path}: cannot tell whether others use it (${why})`] };
  }
  rmSync(path, { force: true });
  rmSync(coldLauncherPath(home), { force: true });
  rmSync(mcpLauncherPath(home), { force: true });
  unmarkLedger(home);
  return { step: { path, target: path, action: 'remove', perform: () => {} }, notices: [] };
}

/** Otherwise a running agent's hooks would restore the files. */
async function acceptChanges(
  context: CliContext,
  steps: readonly WiringStep[],
  removed: readonly string[],
): Promise<void> {
  try {
    const { home } = await context.workspace();
    await ownFiles(context, [...changedPaths(steps), ...removed, ...unlistedFiles(home)]);
  } catch {
    // Safe: without a ledger nothing can be restored either.
  }
}

async function otherProjects(context: CliContext, home: string, checkout: string): Promise<string[]> {
  if (!existsSync(join(home, 'ledger.db'))) return [];
  const ledger = await context.ledger();
  const { noteWired, wiredCheckouts } = await import('../../../enforcement/install/wired-checkouts.ts');
  noteWired(ledger, checkout, false);
  return wiredCheckouts(ledger).filter((other) => other !== checkout);
}

function describeLeft(left: readonly string[], purgeable: boolean): string[] {
  if (left.length === 0) return [];
  return [
    'Left in place:',
    ...left.map((line) => `  ${line}`),
    ...(purgeable ? ['`guardkit uninstall --purge` removes .guardkit/ and the lines in .gitignore.'] : []),
  ];
}

/** A person's features and the work of builds: not GuardKit's to delete, so each line says how. */
async function keptInRepository(root: string): Promise<string[]> {
  // Hooks can be removed where git does not run, too.
  const repository = await Repository.open(root).catch(() => undefined);
  const print = async (...args: string[]) => (await repository?.attempt(args))?.stdout.trim() ?? '';
  const refs = await print('for-each-ref', '--format=%(refname)', 'refs/guardkit', 'refs/heads/guardkit');
  const driver = await print('config', '--local', '--get', `merge.${MERGE_DRIVER}.driver`);
  return [
    ...(existsSync(join(root, FEATURE_LIST_PATH)) ? [`${FEATURE_LIST_PATH} (your features)`] : []),
    ...(refs === ''
      ? []
      : [
          `${plural(refs.split('\n').length, 'branch', 'branches')} and turns of builds (\`git for-each-ref refs/guardkit refs/heads/guardkit\` lists them)`,
        ]),
    ...(driver === ''
      ? []
      : [
          `the merge driver for the architecture graph (\`git config --remove-section merge.${MERGE_DRIVER}\`)`,
        ]),
  ];
}

function report(
  agents: readonly WiredAgent[],
  steps: readonly WiringStep[],
  left: readonly string[],
  dryRun: boolean,
) {
  const files = steps.map(({ path, action }) => ({ path, action }));
  return { agent: agents[0] ?? null, agents, files, left, dry_run: dryRun };
}

function notARepository(): GuardKitError {
  return new GuardKitError({
    code: 'project.unknown',
    kind: 'input',
    message: 'This folder is not in a git repository.',
    hint: 'Run the command inside the project.',
  });
}

function declined(): GuardKitError {
  return new GuardKitError({
    code: 'uninstall.declined',
    kind: 'refused',
    message: 'Cancelled; nothing changed.',
    hint: 'Run the command again and answer y.',
  });
}

interface ProjectLeftovers {
  /** Files of `init` that `uninstall` keeps, one line each. */
  left: string[];
  /** The same, to be removed. */
  steps: WiringStep[];
  /** Relative paths of the files to be removed. */
  files: string[];
}

/** Everything that remains in a project without the hooks. */
function projectLeftovers(root: string): ProjectLeftovers {
  const folder = join(root, '.guardkit');
  const files = filesIn(folder).map((name) => `.guardkit/${name}`);
  const ignore = join(root, '.gitignore');
  const text = existsSync(ignore) ? readFileSync(ignore, 'latin1') : '';
  const rest = withoutOwnLines(text);
  const left: string[] = [];
  const steps: WiringStep[] = [];
  if (lstatSync(folder, { throwIfNoEntry: false })) {
    left.push(`.guardkit/ (${plural(files.length, 'file')}: configuration, rules, features and logs)`);
    steps.push({ path: '.guardkit/', target: folder, action: 'remove', perform: () => removeTree(folder) });
  }
  if (rest !== text) {
    left.push('GuardKit’s lines in .gitignore');
    steps.push({
      path: '.gitignore',
      target: ignore,
      action: rest === '' ? 'remove' : 'change',
      perform: () =>
        rest === ''
          ? rmSync(ignore, { force: true })
          : writeFileAtomic(ignore, Buffer.from(rest, 'latin1'), lstatSync(ignore).mode & 0o777),
    });
  }
  return { left, steps, files };
}

/** Removes the heading that `init` writes and the lines below it; the same lines elsewhere are kept. */
function withoutOwnLines(text: string): string {
  const lines = text.split('\n');
  const own: ReadonlySet<string> = new Set(GITIGNORE_LINES);
  const at = lines.indexOf(GITIGNORE_HEADING);
  if (at < 0) return text;
  let end = at + 1;
  while (own.has(lines[end] ?? '')) end += 1;
  return [...lines.slice(0, at), ...lines.slice(end)].join('\n');
}

function filesIn(folder: string): string[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
