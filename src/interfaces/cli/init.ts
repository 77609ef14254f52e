import * as z from 'zod';
import { type DetectedVerify, detectVerify } from '../../config/detect-verify.ts';
import {
  hasConfig,
  type PlannedFile,
  planProjectFiles,
  proposeProjectId,
  writeProjectFiles,
} from '../../config/init-project.ts';
import { openWorkspace } from '../../config/workspace.ts';
import { isProjectId } from '../../domain/group.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { findGitFolder, type GitFolder } from '../../platform/git-folder.ts';
import { loadRuleSources } from '../../rules/load-rule-sources.ts';
import type { RuleSources } from '../../rules/rule-sources.ts';
import { projectSeedGroup, seedGroups, systemSeedGroups } from '../../rules/seed-groups.ts';
import { type CliContext, defineCommand } from './cli-command.ts';

export const init = defineCommand({
  name: 'init',
  summary:
    'make this project ready: its id, what GuardKit runs to verify, examples of its other files, and a seeded store',
  options: [['--yes', 'take what was detected, without asking']],
  changes: true,
  schema: z.object({ yes: z.boolean().default(false), dryRun: z.boolean().default(false) }),
  async run(context, { yes, dryRun }) {
    const folder = findGitFolder(context.cwd);
    if (!folder) throw notARepository();
    // Before anything is written: what is there already may have faults.
    const workspace = await context.workspace();
    const sources = await loadRuleSources(folder.root, workspace.store);
    const fresh = !hasConfig(folder.root);
    const asking = fresh && !yes && !dryRun && context.findPerson().present;
    const proposed = await projectId(context, folder, asking);
    const detected = await acceptedVerify(context, folder.root, asking);
    const planned = planProjectFiles(folder.root, proposed, detected?.verify);
    const files = dryRun ? planned : writeProjectFiles(folder.root, planned);
    // Read again: another process may have been faster, and its id holds.
    const { project } = dryRun ? workspace : await openWorkspace(context.cwd, context.env);
    const known = project.known ? project.id : dryRun && fresh ? proposed : undefined;
    const seeded = dryRun ? 0 : await seedAll(context, sources, known);
    return {
      json: {
        project: known ?? null,
        verify: detected?.verify ?? null,
        files: files.map(({ path, action }) => ({ path, action })),
        seeded: typeof seeded === 'number' ? seeded : null,
      },
      text: [
        `${dryRun ? 'Would make' : 'Made'} ${folder.root} ready for GuardKit${known ? ` as ${known}` : ''}.`,
        ...files.map((file) => describe(file, dryRun)),
        ...(known ? [] : [`It has no id yet: add project: ${proposed} to .guardkit/config.yaml.`]),
        detected
          ? `Tests: ${detected.verify.tests?.command} (recognised as ${detected.kind})`
          : 'Tests: nothing was recognised; fill in verify: in .guardkit/config.yaml',
        ...(dryRun || typeof seeded !== 'number'
          ? []
          : [seeded === 0 ? 'The store was seeded already.' : `The store was seeded: ${seeded} written.`]),
        ...(files.some(({ action }) => action !== 'keep') && !dryRun
          ? ['Commit .guardkit/ and .gitignore.']
          : []),
      ].join('\n'),
      notices: typeof seeded === 'number' ? [] : [seeded.notice],
    };
  },
});

/** How many entities were written. A store that is away is said, and the project is ready without it. */
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
      notice: `memory is off: ${why}. The store was not seeded; \`guardkit graphiti seed\` does it later.`,
    };
  }
}

async function projectId(context: CliContext, folder: GitFolder, asking: boolean): Promise<string> {
  const proposed = await proposeProjectId(folder);
  if (!asking) return proposed;
  const answer = (await context.ask(`Project id [${proposed}]: `)).trim();
  if (answer === '') return proposed;
  if (isProjectId(answer)) return answer;
  throw new GuardKitError({
    code: 'project.illegal-id',
    kind: 'input',
    message: `"${answer.slice(0, 60)}" cannot be a project id.`,
    hint: 'Use letters, digits, . and -, or single _ between them. Nothing was written.',
  });
}

async function acceptedVerify(
  context: CliContext,
  root: string,
  asking: boolean,
): Promise<DetectedVerify | undefined> {
  const detected = detectVerify(root);
  if (!detected || !asking) return detected;
  const { tests } = detected.verify;
  const answer = await context.ask(
    `GuardKit will run the tests with \`${tests?.command}\`. Is that right? [Y/n] `,
  );
  return /^n/i.test(answer.trim()) ? undefined : detected;
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

function notARepository(): GuardKitError {
  return new GuardKitError({
    code: 'project.unknown',
    kind: 'input',
    message: 'This folder is not in a git repository.',
    hint: 'Run `git init` first, then `guardkit init` again.',
  });
}
