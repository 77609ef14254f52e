import * as z from 'zod';
import { detectVerify } from '../../config/detect-verify.ts';
import {
  type PlannedFile,
  planProjectFiles,
  proposeProjectId,
  writeProjectFiles,
} from '../../config/init-project.ts';
import { isProjectId } from '../../domain/group.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { findGitFolder, type GitFolder } from '../../platform/git-folder.ts';
import { seedGroups, systemSeedGroups } from '../../rules/seed-groups.ts';
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
    const detected = detectVerify(folder.root);
    const asking = !yes && !dryRun && context.findPerson().present;
    const project = await projectId(context, folder, asking);
    const accepted = detected && asking ? await confirmVerify(context, detected.verify.tests?.command) : true;
    const files = planProjectFiles(folder.root, project, accepted ? detected?.verify : undefined);
    if (!dryRun) writeProjectFiles(folder.root, files);
    const workspace = await context.workspace();
    const known = workspace.project.known ? workspace.project.id : project;
    const seeded = dryRun ? [] : await seedGroups(await context.store(), systemSeedGroups());
    const created = seeded.reduce((sum, group) => sum + group.created + group.updated, 0);
    return {
      json: {
        project: known,
        verify: detected?.verify ?? null,
        files: files.map(({ path, action }) => ({ path, action })),
        seeded: created,
      },
      text: [
        `${dryRun ? 'Would make' : 'Made'} ${folder.root} ready for GuardKit as ${known}.`,
        ...files.map((file) => describe(file, dryRun)),
        detected
          ? `Tests: ${detected.verify.tests?.command} (recognised as ${detected.kind})`
          : 'Tests: nothing was recognised; fill in verify: in .guardkit/config.yaml',
        ...(dryRun
          ? []
          : [created === 0 ? 'The store was seeded already.' : `The store was seeded: ${created} written.`]),
        ...(files.some(({ action }) => action !== 'keep') && !dryRun
          ? ['Commit .guardkit/ and .gitignore.']
          : []),
      ].join('\n'),
    };
  },
});

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

async function confirmVerify(context: CliContext, command: string | undefined): Promise<boolean> {
  const answer = await context.ask(`GuardKit will run the tests with \`${command}\`. Is that right? [Y/n] `);
  return !/^n/i.test(answer.trim());
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
