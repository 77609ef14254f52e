import { lstatSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { GRAPH_PATH, MERGE_DRIVER } from '../../../architecture/file/graph-file.ts';
import { mergeGraphs } from '../../../architecture/merge/merge-graphs.ts';
import type { MergeConflict } from '../../../architecture/merge/plan-merge.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { writeFileAtomic } from '../../../platform/files/atomic-file.ts';
import { Repository } from '../../../platform/git/repository.ts';
import { plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { requirePerson } from '../verification/person-name.ts';

export const merge = defineCommand({
  name: 'merge',
  summary: 'Merge two versions of the graph (git merge driver)',
  arguments: [
    ['[base]', 'Common ancestor'],
    ['[ours]', 'Our version; the result is written here'],
    ['[theirs]', 'Their version'],
  ],
  options: [
    ['--print', 'Print the result instead of writing it'],
    ['--install', 'Register the merge driver in this repository'],
  ],
  changes: true,
  schema: z.object({
    base: z.string().min(1).optional(),
    ours: z.string().min(1).optional(),
    theirs: z.string().min(1).optional(),
    print: z.boolean().default(false),
    install: z.boolean().default(false),
    dryRun: z.boolean().default(false),
  }),
  async run(context, { base, ours, theirs, print, install, dryRun }) {
    const files = [base, ours, theirs].filter((file) => file !== undefined);
    if (install ? files.length > 0 || print : files.length < 3) throw wrongUse();
    if (install) {
      return runMergeInstall(context, { dryRun });
    }
    const [first = '', second = '', third = ''] = files;
    return runMerge(context, { base: first, ours: second, theirs: third, print, dryRun });
  },
});

function wrongUse(): GuardKitError {
  return new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: 'Expected three files, or only --install.',
    hint: 'Run `guardkit knowledge merge BASE OURS THEIRS`, or `guardkit knowledge merge --install`.',
  });
}

interface MergeInput {
  base: string;
  ours: string;
  theirs: string;
  print: boolean;
  dryRun: boolean;
}

const MAX_BYTES = 16 * 1024 * 1024;

async function runMerge(context: CliContext, input: MergeInput): Promise<Report> {
  const [base = '', ours = '', theirs = ''] = [input.base, input.ours, input.theirs].map((file) =>
    readExact(resolve(context.cwd, file), file),
  );
  const { text, conflicts } = mergeGraphs({ base, ours, theirs });
  if (!input.print && !input.dryRun && text !== ours) write(resolve(context.cwd, input.ours), text);
  const exitCode = conflicts.length > 0 ? 1 : 0;
  const summary = conflicts.length === 0 ? 'merged' : `${plural(conflicts.length, 'conflict')}:`;
  return {
    json: { merged: conflicts.length === 0, conflicts, ...(input.print || input.dryRun ? { text } : {}) },
    text: input.print
      ? text.trimEnd()
      : [summary, ...conflicts.map((one) => `  ${describe(one)}`)].join('\n'),
    ...(input.print && exitCode > 0 ? { notices: conflicts.map(describe) } : {}),
    exitCode,
  };
}

/** Keeps a byte order mark, because it is merged too. */
function readExact(path: string, name: string): string {
  try {
    if (statSync(path).size > MAX_BYTES) throw new Error('it is too large');
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    throw new GuardKitError({
      code: 'file.unreadable',
      kind: 'input',
      message: `${name} cannot be read: ${error instanceof Error ? error.message : error}.`,
      hint: 'Specify three text files: the common ancestor, ours and theirs.',
      cause: error,
    });
  }
}

function describe({ node, edge, why }: MergeConflict): string {
  if (node !== undefined) return `node ${node}: ${why}`;
  return edge ? `edge ${edge.from} ${edge.relation} ${edge.to}: ${why}` : why;
}

function write(file: string, text: string): void {
  try {
    writeFileAtomic(file, text);
  } catch (error) {
    throw new GuardKitError({
      code: 'merge.unwritable',
      kind: 'outside',
      message: `${file} cannot be written: ${error instanceof Error ? error.message : error}.`,
      hint: 'Specify a writable file.',
      cause: error,
    });
  }
}

const ATTRIBUTE = `${GRAPH_PATH} merge=${MERGE_DRIVER}`;
const SETTINGS = [
  [`merge.${MERGE_DRIVER}.name`, 'architecture graph, by node and edge'],
  [`merge.${MERGE_DRIVER}.driver`, 'guardkit knowledge merge %O %A %B'],
] as const;

/** Registers the merge driver: .gitattributes names the file, this repository's git settings the command. */
async function runMergeInstall(context: CliContext, { dryRun }: { dryRun: boolean }): Promise<Report> {
  if (!dryRun) requirePerson(context, 'change git settings');
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
    text: describeInstalled(changes, dryRun),
    notices: own.map(({ key, found }) => `${key} is "${found?.slice(0, 200)}" already; kept.`),
  };
}

function describeInstalled(changes: readonly string[], dryRun: boolean): string {
  if (changes.length === 0) return 'The merge driver is already registered.';
  const lines = changes.map((change) => `  ${change}`);
  if (dryRun) return ['Would run:', ...lines].join('\n');
  return [
    'Done:',
    ...lines,
    'Commit .gitattributes; everyone who merges must run `guardkit knowledge merge --install` once.',
  ].join('\n');
}

/** The new content; undefined if the line is already there. */
function planAttributes(path: string): { path: string; bytes: Buffer; mode: number } | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return { path, bytes: Buffer.from(`${ATTRIBUTE}\n`), mode: 0o644 };
  if (!found.isFile()) {
    throw new GuardKitError({
      code: 'attributes.no-file',
      kind: 'refused',
      message: '.gitattributes is not a regular file; nothing changed.',
      hint: `Replace it with a file, or add the line yourself: ${ATTRIBUTE}`,
    });
  }
  // As bytes, to keep other lines in any encoding.
  const text = readFileSync(path, 'latin1');
  if (text.split(/\r?\n/).some((line) => line.trim().split(/\s+/).join(' ') === ATTRIBUTE)) return undefined;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const added = `${text === '' || text.endsWith('\n') ? '' : end}${ATTRIBUTE}${end}`;
  return { path, bytes: Buffer.from(text + added, 'latin1'), mode: found.mode & 0o777 };
}
