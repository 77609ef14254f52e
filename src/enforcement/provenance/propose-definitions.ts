import { definitionDigest } from '../../domain/protection/project-paths.ts';
import { filesOf, readBlobs } from '../../platform/git/git-versions.ts';
import type { DefinitionProposed } from '../../store/ledger/kinds/protection/definitions.ts';
import { readProvenance } from '../../verification/definition/provenance.ts';
import type { WatchContext } from '../watch/watch-context.ts';
import { trustFirstHead } from './trusted-commits.ts';

export interface Proposal {
  path: string;
  /** Undefined for a removed file. */
  content: Buffer | undefined;
  origin: DefinitionProposed['origin'];
  session?: string | undefined;
  /** Known not to be in force, even if it once was a person's version. */
  isPending?: boolean;
}

/**
 * Records versions by agents as proposals, except those already known as a proposal or as a person's. A person's version
 * that an agent brings back after the person has replaced it is a proposal too.
 */
export function proposeDefinitions(context: WatchContext, proposals: readonly Proposal[]): void {
  if (proposals.length === 0) return;
  const { ledger, project, git, checkout } = context;
  // Everything before the first proposal is a person's.
  trustFirstHead(context);
  const provenance = readProvenance(ledger, project, git.commonDir);
  const isPersons = ({ path, content, origin, isPending = false }: Proposal) =>
    !isPending &&
    provenance?.isPersons(path, content) === true &&
    // Other commits may be older than HEAD.
    (origin === 'commit' || !provenance.isReplaced(path, content, inHead(git.gitDir, path)));
  const fresh = proposals.filter(
    (proposal) => !provenance?.isProposed(proposal.path, proposal.content) && !isPersons(proposal),
  );
  ledger.appendMany(
    project,
    fresh.map(({ path, content, origin, session }) => ({
      kind: 'definition_proposed',
      body: {
        path,
        digest: content ? definitionDigest(content) : null,
        origin,
        session: session ?? null,
        checkout,
      },
    })),
  );
}

function inHead(gitDir: string, path: string): Buffer | undefined {
  const blob = filesOf(gitDir, 'HEAD', [path])?.get(path);
  return blob === undefined ? undefined : readBlobs(gitDir, [blob]).get(blob);
}
