import * as z from 'zod';
import { GRAPH_PATH } from '../../../architecture/file/graph-file.ts';
import {
  type OpenedKnowledge,
  openKnowledge,
  requireGraph,
} from '../../../architecture/file/open-knowledge.ts';
import { readGraph } from '../../../architecture/graph/read-graph.ts';
import { describeFaults, pathsOf } from '../../../architecture/update/knowledge-update.ts';
import { type ChangeJudgement, judgeChange } from '../../../architecture/validation/judge-change.ts';
import { validateGraph } from '../../../architecture/validation/validate-graph.ts';
import { Repository } from '../../../platform/git/repository.ts';
import { findBase } from '../../../verification/definition/find-base.ts';
import { plural } from '../output/printable.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';

export const validate = defineCommand({
  name: 'validate',
  summary: 'Check the architecture graph',
  options: [
    ['--changed', 'Only errors that this branch adds to the graph'],
    ['--base <ref>', 'With --changed: branch or commit to compare with'],
  ],
  schema: z.object({ changed: z.boolean().default(false), base: z.string().min(1).optional() }),
  run: runValidate,
});

interface ValidateInput {
  changed: boolean;
  base?: string | undefined;
}

async function runValidate(context: CliContext, { changed, base }: ValidateInput): Promise<Report> {
  const opened = await openKnowledge(context);
  return changed || base !== undefined ? validateChange(context, opened, base) : validateAll(opened);
}

async function validateAll({ file, schema }: OpenedKnowledge): Promise<Report> {
  const current = await file.read();
  const read = current && readGraph(current.text);
  if (read && !read.ok) {
    const fault = { severity: 'fault' as const, ...read.fault };
    return report({ verdict: 'fail', why: 'the architecture graph cannot be read', faults: [fault] });
  }
  const graph = read?.graph ?? (await requireGraph({ file }));
  const missingPaths = await file.missing(pathsOf(graph));
  const { faults, warnings } = validateGraph(graph, schema, { missingPaths });
  const size = `${plural(graph.nodes.size, 'node')} and ${plural(graph.edges.length, 'edge')}`;
  return report({ verdict: faults.length === 0 ? 'pass' : 'fail', why: size, faults, warnings });
}

/** Validates what will be committed against the base: the staged text, and the working text if it differs. */
async function validateChange(
  context: CliContext,
  { file, schema, root }: OpenedKnowledge,
  ref: string | undefined,
): Promise<Report> {
  const repository = await Repository.open(root);
  const by = context.findPerson().present ? 'person' : 'anybody';
  const base = await findBase(repository, ref, by);
  const before = await blobAt(repository, ['ls-tree', '-z', base.commit, '--', GRAPH_PATH]);
  const staged = await blobAt(repository, ['ls-files', '--stage', '-z', '--', GRAPH_PATH]);
  const current = (await file.read())?.text;
  const judge = async (after: string | undefined) => {
    const read = after === undefined ? undefined : readGraph(after);
    const missingPaths = await file.missing(read?.ok ? pathsOf(read.graph) : []);
    return judgeChange({ before, after }, schema, { missingPaths });
  };
  const working = await judge(current);
  if (working.verdict === 'fail' || staged === undefined || staged === current)
    return report(working, base.why);
  const inIndex = await judge(staged);
  return inIndex.verdict === 'fail'
    ? report({ ...inIndex, why: `${inIndex.why}, as it is staged` }, base.why)
    : report(working, base.why);
}

async function blobAt(repository: Repository, list: readonly string[]): Promise<string | undefined> {
  const entry = (await repository.run(list)).split('\0')[0] ?? '';
  const object = /^\d+ (?:blob )?([0-9a-f]{40,64})\b/.exec(entry)?.[1];
  return object === undefined ? undefined : repository.run(['cat-file', 'blob', object]);
}

function report(
  judged: Partial<ChangeJudgement> & Pick<ChangeJudgement, 'verdict' | 'why'>,
  base?: string,
): Report {
  const { verdict, why, faults = [], remaining = [], warnings = [] } = judged;
  const mark = verdict === 'fail' ? '✗' : verdict === 'pass' ? '✓' : '–';
  return {
    json: {
      file: GRAPH_PATH,
      valid: verdict !== 'fail',
      verdict,
      why,
      ...(base === undefined ? {} : { base }),
      faults,
      remaining,
      warnings,
    },
    text: [
      ...describeFaults(GRAPH_PATH, faults, 200).map((line) => `✗ ${line}`),
      ...describeFaults(GRAPH_PATH, warnings, 50).map((line) => `! ${line}`),
      ...(faults.length + warnings.length > 0 ? [''] : []),
      `${mark} ${why}: ${plural(faults.length, 'error')}, ${plural(warnings.length, 'warning')}${
        remaining.length > 0 ? `; ${plural(remaining.length, 'error')} of the base remain` : ''
      }`,
    ].join('\n'),
    exitCode: verdict === 'fail' ? 1 : 0,
  };
}
