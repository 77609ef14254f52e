import { definitionDigest } from '../../domain/protection/project-paths.ts';
import { objectId } from '../../platform/git/git-objects.ts';
import { isAfterIn, readHead } from '../../platform/git/git-refs.ts';
import { filesOf, lastCommitOf, readBlobs, versionsAt } from '../../platform/git/git-versions.ts';
import type { DefinitionProposed } from '../../store/ledger/kinds/protection/definitions.ts';
import { findTips } from '../../store/ledger/tables/last-seen-refs.ts';
import { type Provenance, readProvenance } from '../../verification/definition/provenance.ts';
import { repositoryFolder, type WatchContext } from '../watch/watch-context.ts';
import { trustFirstHead } from './trusted-commits.ts';

export interface Proposal {
  path: string;
  /** Undefined for a removed file. */
  content: Buffer | undefined;
  origin: DefinitionProposed['origin'];
  session?: string | undefined;
  /** An agent's commit with this version. */
  commit?: string;
}

/**
 * Records versions by agents as proposals. A version that persons had before is one only if an agent brings it back, and
 * only after that commit: elsewhere it may be in force.
 */
export function proposeDefinitions(context: WatchContext, proposals: readonly Proposal[]): void {
  if (proposals.length === 0) return;
  const { ledger, project, git, checkout } = context;
  // Everything before the first proposal is a person's.
  trustFirstHead(context);
  const provenance = readProvenance(ledger, project, git.commonDir);
  const paths = [...new Set(proposals.map(({ path }) => path))];
  const persons = versionsAt(git.gitDir, personsTips(context), paths);
  const fresh = proposals.flatMap((proposal) => {
    const { path, content } = proposal;
    const isPersons = provenance?.isPersons(path, content) || hasVersion(persons.get(path), content);
    const after = isPersons ? afterOf(context, provenance, proposal) : undefined;
    if (isPersons && after === undefined) return [];
    const isAfter = after === undefined ? () => false : isAfterIn(git.gitDir, after);
    return provenance?.isProposed(path, content, isAfter) ? [] : [{ ...proposal, after }];
  });
  ledger.appendMany(
    project,
    fresh.map(({ path, content, origin, session, after }) => ({
      kind: 'definition_proposed',
      body: {
        path,
        digest: content ? definitionDigest(content) : null,
        origin,
        session: session ?? null,
        checkout,
        ...(after === undefined ? {} : { after }),
      },
    })),
  );
}

const MAX_TIPS = 200;

/** Refs of persons' commits. */
function personsTips(context: WatchContext): string[] {
  const last = findTips(context.ledger, repositoryFolder(context))?.reading;
  const known = new Set(last?.known);
  return (last?.seen ?? []).filter((tip) => known.has(tip)).slice(0, MAX_TIPS);
}

function hasVersion(versions: ReadonlySet<string> | undefined, content: Buffer | undefined): boolean {
  const algorithms = ['sha1', 'sha256'] as const;
  return content !== undefined && algorithms.some((one) => versions?.has(objectId('blob', content, one)));
}

/** The commit after which an older version of a person is a proposal; undefined if a person wrote it after HEAD's. */
function afterOf(
  { git }: WatchContext,
  provenance: Provenance | undefined,
  { path, content, origin, commit }: Proposal,
): string | undefined {
  if (origin === 'commit') return commit && lastCommitOf(git.gitDir, commit, path);
  return provenance?.isReplaced(path, inHead(git.gitDir, path), content) ? undefined : readHead(git);
}

function inHead(gitDir: string, path: string): Buffer | undefined {
  const blob = filesOf(gitDir, 'HEAD', [path])?.get(path);
  return blob === undefined ? undefined : readBlobs(gitDir, [blob]).get(blob);
}
