import * as z from 'zod';
import { CI_TEMPLATES, type CiTemplate, ciFiles } from '../../../config/project/ci-templates.ts';
import {
  hasConfig,
  type PlannedFile,
  type ProposedId,
  planProjectFiles,
  proposeProjectId,
  writeProjectFiles,
} from '../../../config/project/init-project.ts';
import { createDataFolder, openWorkspace, type Workspace } from '../../../config/project/workspace.ts';
import { isProjectId } from '../../../domain/entities/group.ts';
import {
  AGENT_WIRINGS,
  guardedAgents,
  WIRED_AGENTS,
  type WiredAgent,
} from '../../../enforcement/install/agent-wirings.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { findGitFolder, type GitFolder } from '../../../platform/git/git-folder.ts';
import { loadRuleSources, type RuleSources } from '../../../rules/load-rule-sources.ts';
import { projectSeedGroup, seedGroups, systemSeedGroups } from '../../../rules/seed-groups.ts';
import { VERSION } from '../../../version.ts';
import { upToOneDay } from '../input/time-input.ts';
import { describeStep } from '../output/describe-step.ts';
import { plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { openWatchContext, ownFiles, unlistedFiles } from '../protection/own-files.ts';
import { personName } from '../verification/person-name.ts';
import { agentTitles, chooseAgents } from './choose-agents.ts';
import { committedFiles, describeCommit } from './describe-commit.ts';
import { configuredVerify, proposeVerify } from './init-verify.ts';

export const init = defineCommand({
  name: 'init',
  summary: 'Set up GuardKit in this repository',
  options: [
    ['--yes', 'Install hooks and add detected commands without asking'],
    ['--no-try', 'Skip the trial run of the detected commands'],
    ['--try-timeout <time>', 'Time limit for the trial run (default: 5m)'],
    ['--agent <name>', `Install hooks for this agent: ${WIRED_AGENTS.join(', ')}`, 'repeatable'],
    ['--no-agent', 'Do not install hooks'],
    ['--shared', 'Install the hooks in the committed settings, for the team'],
    ['--mcp', 'Add GuardKit’s MCP tools to the agents’ settings'],
    ['--session', 'Add agents, skills and commands for driven sessions'],
    ['--ci <system>', `Write a workflow that verifies branches: ${CI_TEMPLATES.join(', ')}`],
  ],
  changes: true,
  schema: z.object({
    yes: z.boolean().default(false),
    agent: z
      .union([z.literal(false), z.array(z.enum(WIRED_AGENTS))], `expected one of ${WIRED_AGENTS.join(', ')}`)
      .optional(),
    shared: z.boolean().default(false),
    session: z.boolean().default(false),
    mcp: z.boolean().default(false),
    ci: z.enum(CI_TEMPLATES).optional(),
    dryRun: z.boolean().default(false),
    try: z.boolean().default(true),
    tryTimeout: upToOneDay.default(5 * 60_000),
  }),
  run: runInit,
});

interface InitInput {
  yes: boolean;
  agent?: readonly WiredAgent[] | false | undefined;
  shared: boolean;
  session: boolean;
  mcp: boolean;
  ci?: CiTemplate | undefined;
  dryRun: boolean;
  /** Run the commands once. */
  try: boolean;
  /** In milliseconds. */
  tryTimeout: number;
}

async function runInit(context: CliContext, input: InitInput): Promise<Report> {
  const { yes, agent, shared, session, mcp, dryRun } = input;
  if (agent === false && shared && !mcp) throw contradiction();
  const git = findGitFolder(context.cwd);
  if (!git) throw notARepository();
  // Before anything is written, because existing files may have faults.
  const workspace = await context.workspace();
  const sources = await loadRuleSources(git.root, workspace.store);
  const fresh = !hasConfig(git.root);
  const person = !yes && !dryRun && context.findPerson().present;
  const asking = fresh && person;
  if (!dryRun) createDataFolder(workspace.home);
  const { id: proposed, madeUp } = await projectId(context, git, asking);
  if (!dryRun && (yes || context.findPerson().present))
    await recordPrograms(context, git.root, workspace, fresh ? proposed : undefined);
  const { section, lines, json } = fresh
    ? await proposeVerify(context, {
        root: git.root,
        project: proposed,
        asking,
        yes,
        dryRun,
        try: input.try,
        tryTimeoutMs: input.tryTimeout,
      })
    : await configuredVerify(git.root);
  const { describeAdopted, compileHooks, describeAgentFiles, describeMcpFile, performAgent, planAgent } =
    await import('./init-agent.ts');
  const agents = await chooseAgents(context, git.root, { agent, yes: yes || shared, person });
  const slow = agents.length > 0 && !dryRun ? await compileHooks(context) : [];
  const plan = await planAgent(context, git.root, { agents, shared, session, mcp });
  const planned = planProjectFiles(git.root, proposed, section, input.ci ? ciFiles(input.ci, VERSION) : []);
  const files = dryRun ? planned : writeProjectFiles(git.root, planned);
  // Read again: another process may have written its id first.
  const { project } = dryRun ? workspace : await openWorkspace(context.cwd, context.env);
  const found = project.known ? project.id : undefined;
  // A generated id differs each time, so it is not shown before it is written.
  const known = found ?? (dryRun && fresh && madeUp === '' ? proposed : undefined);
  const isMadeThen = dryRun && fresh && known === undefined;
  const seeded = dryRun ? 0 : await seedAll(context, sources, known);
  const { adopted } = dryRun ? { adopted: undefined } : await performAgent(context, git, known, plan);
  // For a session that is already running.
  if (!dryRun && plan.wiring) await context.startBroker();
  if (!dryRun && (await context.findAgent()) === undefined) await makeKey(workspace.home);
  const steps = [...(plan.wiring ?? []), ...plan.session, ...plan.mcp];
  const changed = [...files, ...steps].filter(({ action }) => action !== 'keep');
  // A person may run this while an agent acts, and the change must not count as the agent's. For an agent, its own earlier
  // writes to these files are not accepted.
  if (!dryRun && context.findPerson().present)
    await ownFiles(context, [...changed.map(({ path }) => path), ...unlistedFiles(workspace.home)]);
  if (!dryRun && context.findPerson().present && known !== undefined && plan.wiring) {
    const { recordRemote } = await import('../../../enforcement/provenance/trusted-commits.ts');
    recordRemote(await context.ledger(), known, git, personName(context.env));
    const { observeCommits } = await import('../../../enforcement/provenance/observe-commits.ts');
    const watch = await openWatchContext(context);
    if (watch) observeCommits(watch);
  }
  const { describeFormatter, describeIgnored } = await import('./ignored-files.ts');
  return {
    json: {
      project: known ?? null,
      verify: json.verify,
      trial: json.trial,
      files: files.map(({ path, action }) => ({ path, action })),
      seeded: typeof seeded === 'number' ? seeded : null,
      agent: plan.wiring
        ? { name: agents[0] ?? '', files: plan.wiring.map(({ path, action }) => ({ path, action })) }
        : null,
      agents,
      session: plan.session.map(({ path, action }) => ({ path, action })),
      mcp: plan.mcp.map(({ path, action }) => ({ path, action })),
      features: adopted
        ? { adopted: adopted.adopted, proven: adopted.proven, unproven: adopted.unproven }
        : null,
    },
    text: [
      `${dryRun ? 'Would set up' : 'Set up'} GuardKit in ${git.root}${known ? ` as ${known}` : ''}.`,
      ...files.map((file) => describe(file, dryRun)),
      ...steps.map((step) => describeStep(step, dryRun)),
      ...(isMadeThen ? [`The project id will be generated, such as ${asMadeUp(proposed)}: ${madeUp}.`] : []),
      ...(known || isMadeThen
        ? []
        : [`The project has no id yet: add project: ${proposed} to .guardkit/config.yaml.`]),
      ...lines,
      ...(dryRun || typeof seeded !== 'number'
        ? []
        : [
            seeded === 0
              ? 'The store was already seeded.'
              : `Seeded the store with ${plural(seeded, 'entity', 'entities')}.`,
          ]),
      ...(adopted ? describeAdopted(adopted) : []),
      ...(dryRun ? [] : describeCommit(changed, committedFiles(shared ? agents : [], session))),
      ...(input.ci ? describeCi(files, dryRun) : []),
      ...(dryRun
        ? []
        : [...(await describeMcpFile(git.root, plan)), ...(await describeAgentFiles(git.root, plan))]),
      ...(plan.wiring
        ? dryRun
          ? []
          : [
              `Hooks for ${agentTitles(agents)} are installed. Run \`guardkit doctor\` to test them.`,
              ...agents.flatMap((name) => AGENT_WIRINGS[name].next ?? []),
            ]
        : guardedAgents(git).length > 0
          ? []
          : ['No hooks are installed. Install them with `guardkit init --agent claude`.']),
    ].join('\n'),
    notices: [
      ...plan.notices,
      ...slow,
      ...describeIgnored(git.root),
      ...describeFormatter(git.root),
      ...(typeof seeded === 'number' ? [] : [seeded.notice]),
    ],
  };
}

function describeCi(files: readonly PlannedFile[], dryRun: boolean): string[] {
  const kept = files.some(({ path, action }) => path === '.gitlab-ci.yml' && action === 'keep');
  return [
    ...(kept ? ['.gitlab-ci.yml exists: add `include: [{local: .gitlab/ci/guardkit.yml}]` to it.'] : []),
    ...(dryRun
      ? []
      : ['Commit the workflow to the main branch and make it a required check (docs/guide/ci.md).']),
  ];
}

function contradiction(): GuardKitError {
  return new GuardKitError({
    code: 'init.contradiction',
    kind: 'input',
    message: '--shared and --no-agent contradict each other.',
    hint: 'Omit one of them, or add --mcp to give the team only GuardKit’s tools.',
  });
}

/** The number of entities written. An unavailable store gives a notice; the project works without it. */
async function seedAll(
  context: CliContext,
  sources: RuleSources,
  project: string | undefined,
): Promise<number | { notice: string }> {
  const own = project === undefined ? [] : [projectSeedGroup(project, sources)];
  try {
    const seeded = await seedGroups(await context.store(), [...systemSeedGroups(), ...own]);
    return seeded.reduce((sum, group) => sum + group.created + group.updated, 0);
  } catch (error) {
    if (!(error instanceof GuardKitError) || error.kind !== 'outside') throw error;
    const why = error.message.replace(/\s*\n\s*/g, ' ').replace(/\.$/, '');
    return {
      notice: `memory is off: ${why}. The store was not seeded; run \`guardkit memory seed\` later.`,
    };
  }
}

/** The programs behind the person's PATH, for runs that do not get it; before the first such run. */
async function recordPrograms(
  context: CliContext,
  root: string,
  { home, project }: Workspace,
  proposed: string | undefined,
): Promise<void> {
  const id = proposed ?? (project.known ? project.id : undefined);
  if (id === undefined || (await context.findAgent()) !== undefined) return;
  const { recordToolchains } = await import('../../../verification/environment/toolchain-record.ts');
  await recordToolchains({ env: context.env, root, dataFolder: home, project: id, agent: undefined });
}

async function makeKey(home: string): Promise<void> {
  const { makeMachineKey } = await import('../../../platform/signing/machine-key.ts');
  makeMachineKey(home);
}

async function projectId(context: CliContext, folder: GitFolder, asking: boolean): Promise<ProposedId> {
  const proposed = await proposeProjectId(folder);
  if (!asking) return proposed;
  const answer = (await context.ask(`Project id (Enter for ${proposed.id}): `)).trim();
  if (/^(?:y|yes)?$/i.test(answer)) return proposed;
  if (isProjectId(answer)) return { id: answer, madeUp: '' };
  throw new GuardKitError({
    code: 'project.illegal-id',
    kind: 'input',
    message: `"${answer.slice(0, 60)}" is not a valid project id.`,
    hint: 'Use letters, digits, . and -, or single _ between them. Nothing was written.',
  });
}

const VERBS = {
  create: ['wrote', 'would write'],
  extend: ['added lines to', 'would add lines to'],
  refresh: ['renewed', 'would renew'],
  keep: ['kept', 'would keep'],
} as const satisfies Record<PlannedFile['action'], readonly [string, string]>;

function describe({ path, action }: PlannedFile, dryRun: boolean): string {
  return `  ${VERBS[action][dryRun ? 1 : 0]} ${path}`;
}

/** `shop-XXXX`. */
function asMadeUp(id: string): string {
  return `${id.slice(0, -4)}XXXX`;
}

function notARepository(): GuardKitError {
  return new GuardKitError({
    code: 'project.unknown',
    kind: 'input',
    message: 'This folder is not in a git repository.',
    hint: 'Run `git init` first, then `guardkit init` again.',
  });
}
