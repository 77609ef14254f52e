import { isTestFile } from '../../domain/is-test-file.ts';
import { overlayTree, readBlobs, type TreeEntry, writeBlob } from '../../platform/git/git-tree.ts';
import type { Repository } from '../../platform/git/repository.ts';
import type { TestRun, UnnamedSuite } from '../facts.ts';
import type { RunTree } from '../runs/run-context.ts';
import { isTestSide, type TestSide } from '../test-side/find-test-side.ts';
import { withFailure } from './unnamed-suite.ts';

const MOST_FILES = 200;

interface ProbeRequest {
  repository: Repository;
  tree: string;
  entries: readonly TreeEntry[];
  side: TestSide;
  run(on: RunTree): Promise<TestRun | string>;
}

/**
 * Runs the command on the candidate with a failure in its test files: those that the change touches, otherwise all. A
 * command that still passes does not depend on its tests, or the product ends the process before them.
 */
export async function runWithFailure(request: ProbeRequest): Promise<UnnamedSuite['probe']> {
  const { repository, tree, entries, side } = request;
  const touched = new Set([...side.added, ...side.modified]);
  const armed =
    (await arm(
      request,
      entries.filter(({ path }) => touched.has(path)),
    )) ??
    (await arm(
      request,
      entries.filter(({ path }) => isTestFile(path)),
    )) ??
    (await arm(
      request,
      entries.filter(({ path }) => isTestSide(path)),
    ));
  if (armed === undefined) return { ran: false, why: 'there is no test file in which to plant a failure' };
  const paths = armed.map(({ path }) => path);
  const failing = await overlayTree(repository, tree, armed, paths);
  const run = await request.run({ tree: failing, is: 'candidate_with_failing_test' });
  return typeof run === 'string' ? { ran: false, why: run } : { ran: true, run, files: paths };
}

async function arm(
  { repository }: ProbeRequest,
  files: readonly TreeEntry[],
): Promise<TreeEntry[] | undefined> {
  const plain = files.filter(({ mode }) => mode.startsWith('100')).slice(0, MOST_FILES);
  const texts = await readBlobs(
    repository,
    plain.map(({ object }) => object),
  );
  const armed: TreeEntry[] = [];
  for (const entry of plain) {
    const text = texts.get(entry.object);
    const failing = text === undefined ? undefined : withFailure(entry.path, text);
    if (failing === undefined) continue;
    armed.push({ ...entry, object: await writeBlob(repository, failing) });
  }
  return armed.length > 0 ? armed : undefined;
}
