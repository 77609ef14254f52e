import { createHash } from 'node:crypto';
import { join, relative, resolve, sep } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import * as z from 'zod';
import {
  type PendingDefinition,
  pendingDefinitions,
} from '../../../enforcement/provenance/pending-definitions.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { changedPaths, snapshotTree } from '../../../platform/git/git-tree.ts';
import { Acceptances, workingDigest } from '../../../verification/definition/acceptances.ts';
import { openVerification } from '../../../verification/open-verification.ts';
import { chooseSome } from '../input/questions.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { openWatchContext } from '../protection/own-files.ts';
import { runRestore } from '../protection/restore.ts';
import { personName, requirePerson } from './person-name.ts';
import { withProvenance } from './with-provenance.ts';

export const accept = defineCommand({
  name: 'accept',
  summary: 'Accept pending or changed files (person only)',
  arguments: [['[path]', 'File or folder (default: every pending definition)']],
  options: [
    ['--reason <text>', 'Reason, for the record'],
    ['--base <ref>', 'Commit to compare with (default: merge base with main)'],
    ['--yes', 'Accept everything shown without asking (person only)'],
    ['--restore', 'Same as `guardkit restore PATH`'],
  ],
  changes: true,
  schema: z.object({
    path: z.string().min(1).optional(),
    reason: z.string().default(''),
    base: z.string().min(1).optional(),
    yes: z.boolean().default(false),
    restore: z.boolean().default(false),
    dryRun: z.boolean().default(false),
  }),
  async run(context, { restore, ...input }) {
    if (restore)
      return runRestore(context, { path: input.path, diff: false, yes: false, dryRun: input.dryRun });
    return runAccept(context, input);
  },
});

interface AcceptInput {
  path?: string | undefined;
  reason: string;
  base?: string | undefined;
  yes: boolean;
  dryRun: boolean;
}

interface Acceptable {
  path: string;
  digest: string | null;
  /** For display, with a short diff. */
  shown: string;
}

async function runAccept(context: CliContext, input: AcceptInput): Promise<Report> {
  if (!input.dryRun) requirePerson(context, 'accept changes');
  const open = await findAcceptable(context, input);
  if (open.length === 0)
    return { json: { accepted: [] }, text: 'Nothing is pending: all definitions are in force.' };
  const text = open.map(({ shown }, index) => `${index + 1}. ${shown}`).join('\n');
  const json = open.map(({ path, digest }) => ({ path, digest }));
  if (input.dryRun) return { json: { pending: json }, text: `Pending:\n${text}` };
  const chosen = input.yes ? open : await chooseSome(context, open, `${text}\nAccept`);
  if (chosen.length === 0) throw declined();
  const { project } = await context.workspace();
  if (!project.known) throw unknownProject(project.why, project.hint);
  const by = personName(context.env);
  const ledger = await context.ledger();
  ledger.appendMany(
    project.id,
    chosen.map(({ path, digest }) => ({
      kind: 'acceptance_recorded',
      body: { path, digest, reason: input.reason, by },
    })),
  );
  const accepted = chosen.map(({ path, digest }) => ({ path, digest }));
  return { json: { accepted }, text: ['Accepted:', ...chosen.map(({ path }) => `  ${path}`)].join('\n') };
}

/** Without a path: all pending definitions. With one: that file, even if only the test command uses it. */
async function findAcceptable(context: CliContext, { path, base: ref }: AcceptInput): Promise<Acceptable[]> {
  const workspace = await context.workspace();
  const by = context.findPerson().present ? 'person' : 'anybody';
  const opened = await openVerification(workspace, context, { base: ref, by });
  const base = await withProvenance(context, opened);
  const watch = await openWatchContext(context);
  const pending = (watch ? pendingDefinitions(watch) : []).filter(({ needs }) => needs === 'acceptance');
  if (path === undefined) return pending.map(describePending);
  const { repository, project } = opened;
  const accepted = Acceptances.read(await context.ledger(), project);
  const tree = await snapshotTree(repository, []);
  const commits = [base.commit, ...(base.provenance?.commits ?? [])];
  const changes = await Promise.all(commits.map((commit) => changedPaths(repository, commit, tree)));
  const known = new Map(pending.map((one) => [one.path, one]));
  const changed = [...new Set([...known.keys(), ...changes.flat().map((one) => one.path)])];
  return selected(repository.root, context.cwd, path, changed)
    .map((one): Acceptable => {
      const definition = known.get(one);
      if (definition) return describePending(definition);
      const digest = workingDigest(join(repository.root, one));
      return { path: one, digest, shown: `${one}${digest === null ? ' (removed)' : ''}` };
    })
    .filter((one) => !accepted.has(one.path, one.digest));
}

const MAX_DIFF_LINES = 20;

function describePending({ path, change, where, inForce, pending }: PendingDefinition): Acceptable {
  const digest = pending ? createHash('sha256').update(pending).digest('hex') : null;
  const [before, after] = [inForce?.toString('utf8') ?? '', pending?.toString('utf8') ?? ''];
  const patch = createTwoFilesPatch('in force', 'pending', before, after, '', '', { context: 1 });
  const lines = patch.trimEnd().split('\n').slice(4);
  const more = lines.length > MAX_DIFF_LINES ? [`   … ${lines.length - MAX_DIFF_LINES} more lines`] : [];
  const diff = [...lines.slice(0, MAX_DIFF_LINES).map((line) => `   ${line}`), ...more];
  return {
    path,
    digest,
    shown: [`${path} (${change}, in ${where === 'HEAD' ? where : `the ${where}`})`, ...diff].join('\n'),
  };
}

function declined(): GuardKitError {
  return new GuardKitError({
    code: 'accept.declined',
    kind: 'refused',
    message: 'Cancelled; nothing changed.',
    hint: 'To accept a single file, run `guardkit accept PATH`.',
  });
}

/** The file itself, or every changed file in a folder. */
function selected(root: string, cwd: string, path: string, changed: readonly string[]): string[] {
  const inside = relative(root, resolve(cwd, path)).split(sep).join('/');
  const found = changed.filter((one) => inside === '' || one === inside || one.startsWith(`${inside}/`));
  if (found.length > 0) return found;
  throw new GuardKitError({
    code: 'accept.unchanged',
    kind: 'input',
    message: `${path} does not differ from the base.`,
    hint:
      changed.length > 0
        ? `These differ: ${changed.slice(0, 10).join(', ')}.`
        : 'Nothing differs from the base.',
  });
}

function unknownProject(why: string, hint: string): GuardKitError {
  return new GuardKitError({
    code: 'project.unknown',
    kind: 'input',
    message: `GuardKit is not set up in this project: ${why}.`,
    hint,
  });
}
