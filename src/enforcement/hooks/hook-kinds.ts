import { entityRegistry } from '../../domain/entities/entity-type.ts';
import { feature } from '../../domain/entities/feature.ts';
import { trace } from '../../domain/entities/trace.ts';
import { entryKindRegistry } from '../../store/ledger/chain/entry-kind.ts';
import { actionJudged } from '../../store/ledger/kinds/action-judged.ts';
import { changeNoticed } from '../../store/ledger/kinds/change-noticed.ts';
import { correctionNoticed } from '../../store/ledger/kinds/correction-noticed.ts';
import { definitionProposed } from '../../store/ledger/kinds/definition-proposed.ts';
import { definitionRecorded } from '../../store/ledger/kinds/definition-recorded.ts';
import { definitionsTrusted } from '../../store/ledger/kinds/definitions-trusted.ts';
import { featuresRecorded } from '../../store/ledger/kinds/features-recorded.ts';
import { fileRestored } from '../../store/ledger/kinds/file-restored.ts';
import { protectionResumed } from '../../store/ledger/kinds/protection-resumed.ts';
import { remoteRecorded } from '../../store/ledger/kinds/remote-recorded.ts';
import { violationRecorded } from '../../store/ledger/kinds/violation-recorded.ts';
import { waiverUsed } from '../../store/ledger/kinds/waiver-used.ts';

/** All that a hook writes into the chain: to make ready every kind there is would take longer than most answers. */
export const HOOK_KINDS = entryKindRegistry([
  actionJudged,
  violationRecorded,
  featuresRecorded,
  waiverUsed,
  correctionNoticed,
  changeNoticed,
  definitionProposed,
  definitionRecorded,
  definitionsTrusted,
  fileRestored,
  remoteRecorded,
  protectionResumed,
]);

/** The entities that those entries tell of. */
export const HOOK_ENTITIES = entityRegistry([feature, trace]);
