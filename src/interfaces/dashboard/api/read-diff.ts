import { BuildRecord } from '../../../orchestration/feature-build/build-record.ts';
import { Repository } from '../../../platform/git/repository.ts';
import { type OpenedProject, unknown } from './read-context.ts';
import type { DiffAnswer } from './schemas.ts';

const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames'];
/** Larger diffs are cut at the end of a line. */
const MAX_CHARACTERS = 2_000_000;

const FOLDED =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|poetry\.lock|uv\.lock|Gemfile\.lock|composer\.lock|go\.sum)$|\.min\.(?:js|css)$|\.(?:map|snap)$|(?:^|\/)(?:dist|build|vendor|generated)\//;

/** The files that a turn changed; with a file, its diff. */
export async function readDiff(
  opened: OpenedProject,
  { feature, task, turn, file }: { feature: string; task: string; turn: number; file?: string | undefined },
): Promise<DiffAnswer> {
  const { ledger, project, checkout } = opened;
  const record = new BuildRecord(ledger, project, feature);
  const began = record.steps(task).find((one) => one.turn === turn && one.step === 'began');
  const commit = record.commitOf(task, turn);
  const base = record.commitOf(task, turn - 1) ?? began?.data.base_commit;
  if (checkout === undefined || !commit || typeof base !== 'string')
    throw unknown('diff of turn', String(turn));
  const repository = await Repository.open(checkout);
  const [from, to] = [await repository.commit(base), await repository.commit(commit)];
  if (!from || !to) throw unknown('commit of turn', String(turn));
  const text =
    file === undefined
      ? null
      : await repository.run(['diff-tree', '-p', ...PLAIN, from, to, '--', `:(literal)${file}`]);
  return {
    from,
    to,
    files: file === undefined ? await changedFiles(repository, from, to) : [],
    text:
      text === null || text.length <= MAX_CHARACTERS
        ? text
        : text.slice(0, text.lastIndexOf('\n', MAX_CHARACTERS)),
    cut: text !== null && text.length > MAX_CHARACTERS,
  };
}

async function changedFiles(repository: Repository, from: string, to: string): Promise<DiffAnswer['files']> {
  const out = await repository.run(['diff-tree', '-r', '-z', '--numstat', ...PLAIN, from, to]);
  const count = (text: string | undefined) => (text === undefined || text === '-' ? null : Number(text));
  return out
    .split('\0')
    .filter((one) => one !== '')
    .map((one) => {
      const [added, removed, ...rest] = one.split('\t');
      const path = rest.join('\t');
      return { path, added: count(added), removed: count(removed), folded: FOLDED.test(path) };
    });
}
