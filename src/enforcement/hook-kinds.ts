import { entityRegistry } from '../domain/entity-type.ts';
import { feature } from '../domain/feature.ts';
import { trace } from '../domain/trace.ts';
import { entryKindRegistry } from '../store/ledger/entry-kind.ts';
import { actionJudged } from '../store/ledger/kinds/action-judged.ts';
import { correctionNoticed } from '../store/ledger/kinds/correction-noticed.ts';
import { featuresRecorded } from '../store/ledger/kinds/features-recorded.ts';
import { violationRecorded } from '../store/ledger/kinds/violation-recorded.ts';
import { waiverUsed } from '../store/ledger/kinds/waiver-used.ts';

/** All that a hook writes into the chain: to make ready every kind there is would take longer than most answers. */
export const HOOK_KINDS = entryKindRegistry([
  actionJudged,
  violationRecorded,
  featuresRecorded,
  waiverUsed,
  correctionNoticed,
]);

/** The entities that those entries tell of. */
export const HOOK_ENTITIES = entityRegistry([feature, trace]);
