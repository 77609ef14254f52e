import { definitionDigest } from '../../domain/protection/project-paths.ts';
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
}

/** Records versions by agents as proposals, except those already known as a person's or as a proposal. */
export function proposeDefinitions(context: WatchContext, proposals: readonly Proposal[]): void {
  if (proposals.length === 0) return;
  const { ledger, project, git, checkout } = context;
  // Everything before the first proposal is a person's.
  trustFirstHead(context);
  const provenance = readProvenance(ledger, project, git.commonDir);
  const fresh = proposals.filter(
    ({ path, content }) => !provenance?.isPersons(path, content) && !provenance?.isProposed(path, content),
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
