import { lstatSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { GuardKitError } from '../../../guardkit-error.ts';
import { changedPaths, snapshotTree } from '../../../platform/git-tree.ts';
import { Acceptances, contentDigest } from '../../../verification/definition/acceptances.ts';
import { openVerification } from '../../../verification/open-verification.ts';
import type { CliContext, Report } from '../cli-command.ts';
import { personName, requirePerson } from './person-name.ts';
import { withProvenance } from './with-provenance.ts';

interface AcceptInput {
  path?: string | undefined;
  reason: string;
  base?: string | undefined;
  dryRun: boolean;
}

interface Acceptable {
  path: string;
  digest: string | null;
}

export async function runAccept(
  context: CliContext,
  { path, reason, base: ref, dryRun }: AcceptInput,
): Promise<Report> {
  const workspace = await context.workspace();
  const ground = await openVerification(workspace, context, {
    base: ref,
    by: context.findPerson().present ? 'person' : 'anybody',
  });
  const { repository, project } = ground;
  const base = await withProvenance(context, ground);
  const ledger = await context.ledger();
  const accepted = Acceptances.read(ledger, project);
  const tree = await snapshotTree(repository, []);
  // By its path also what agents have committed, which the base has too.
  const before = [base.commit, ...(path === undefined ? [] : (base.provenance?.commits ?? []))];
  const changes = await Promise.all(before.map((commit) => changedPaths(repository, commit, tree)));
  const changed = [...new Set(changes.flat().map((one) => one.path))];
  const wanted = path === undefined ? changed : selected(repository.root, context.cwd, path, changed);
  const open = wanted
    .map((one): Acceptable => ({ path: one, digest: digestOf(join(repository.root, one)) }))
    .filter((one) => !accepted.has(one.path, one.digest));
  const shown = open.map((one) => `  ${one.path}${one.digest === null ? ' (gone)' : ''}`);
  if (open.length === 0)
    return report([], 'Nothing to accept: nothing here differs from the base, or it is accepted already.');
  if (dryRun) return report(open, ['would accept:', ...shown].join('\n'));
  requirePerson(context, 'accept changes');
  const answer = await context.ask(
    `${shown.join('\n')}\nAccept ${open.length === 1 ? 'this file as it is' : `these ${open.length} files as they are`} now? [y/N] `,
  );
  if (!/^y/i.test(answer.trim())) {
    throw new GuardKitError({
      code: 'accept.declined',
      kind: 'refused',
      message: 'Nothing was accepted.',
      hint: 'Name one file to accept only that: `guardkit accept PATH`.',
    });
  }
  const by = personName(context.env);
  ledger.appendMany(
    project,
    open.map((one) => ({ kind: 'acceptance_recorded', body: { ...one, reason, by } })),
  );
  return report(open, ['accepted:', ...shown].join('\n'));
}

function report(accepted: readonly Acceptable[], text: string): Report {
  return { json: { accepted }, text };
}

/** The file itself, or all that changed below a folder. */
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

function digestOf(file: string): string | null {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ? contentDigest(file) : null;
}
