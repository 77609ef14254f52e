import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GRAPH_PATH } from '../../../architecture/file/graph-file.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { writeFileAtomic } from '../../../platform/files/atomic-file.ts';
import { Repository } from '../../../platform/git/repository.ts';
import type { CliContext, Report } from '../program/cli-command.ts';
import { requirePerson } from '../verification/person-name.ts';

const DRIVER = 'guardkit-knowledge';
const ATTRIBUTE = `${GRAPH_PATH} merge=${DRIVER}`;
const SETTINGS = [
  [`merge.${DRIVER}.name`, 'architecture graph, by node and edge'],
  [`merge.${DRIVER}.driver`, 'guardkit knowledge merge %O %A %B'],
] as const;

/** Tells git to merge the graph by node and edge: which file is in the project, how is in this repository's settings. */
export async function runMergeInstall(context: CliContext, { dryRun }: { dryRun: boolean }): Promise<Report> {
  if (!dryRun) requirePerson(context, 'change the settings of git');
  const repository = await Repository.open(context.cwd);
  const attributes = planAttributes(join(repository.root, '.gitattributes'));
  const settings: { key: string; value: string; found: string | undefined }[] = [];
  for (const [key, value] of SETTINGS) {
    const { exitCode, stdout } = await repository.attempt(['config', '--local', '--get', key]);
    settings.push({ key, value, found: exitCode === 0 ? stdout.trim() : undefined });
  }
  const missing = settings.filter(({ found }) => found === undefined);
  if (!dryRun) {
    for (const { key, value } of missing) await repository.run(['config', '--local', key, value]);
    if (attributes) writeFileAtomic(attributes.path, attributes.bytes, attributes.mode);
  }
  const changes = [
    ...missing.map(({ key, value }) => `git config ${key} '${value}'`),
    ...(attributes ? [`.gitattributes: ${ATTRIBUTE}`] : []),
  ];
  const own = settings.filter(({ found, value }) => found !== undefined && found !== value);
  return {
    json: { changes, dry_run: dryRun },
    text: describe(changes, dryRun),
    notices: own.map(({ key, found }) => `${key} is "${found?.slice(0, 200)}" already, and stays so.`),
  };
}

function describe(changes: readonly string[], dryRun: boolean): string {
  if (changes.length === 0) return 'Git merges the architecture graph with GuardKit already.';
  const lines = changes.map((change) => `  ${change}`);
  if (dryRun) return ['Would be done:', ...lines].join('\n');
  return [
    'Done:',
    ...lines,
    'Commit .gitattributes; everyone who merges runs `guardkit knowledge merge --install` once.',
  ].join('\n');
}

/** What the file has to become; undefined where it says so already. */
function planAttributes(path: string): { path: string; bytes: Buffer; mode: number } | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return { path, bytes: Buffer.from(`${ATTRIBUTE}\n`), mode: 0o644 };
  if (!found.isFile()) {
    throw new GuardKitError({
      code: 'attributes.no-file',
      kind: 'refused',
      message: '.gitattributes is not a plain file, so nothing was changed.',
      hint: `Put a file in its place, or add the line yourself: ${ATTRIBUTE}`,
    });
  }
  // As bytes: what others wrote there, in whatever encoding, stays as it is.
  const text = readFileSync(path, 'latin1');
  if (text.split(/\r?\n/).some((line) => line.trim().split(/\s+/).join(' ') === ATTRIBUTE)) return undefined;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const added = `${text === '' || text.endsWith('\n') ? '' : end}${ATTRIBUTE}${end}`;
  return { path, bytes: Buffer.from(text + added, 'latin1'), mode: found.mode & 0o777 };
}
