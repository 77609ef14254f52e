import { entityRegistry } from '../../domain/entities/entity-type.ts';
import { feature } from '../../domain/entities/feature.ts';
import { trace } from '../../domain/entities/trace.ts';
import { entryKindRegistry } from '../../store/ledger/chain/entry-kind.ts';
import { actionJudged } from '../../store/ledger/kinds/guards/action-judged.ts';
import { violationRecorded } from '../../store/ledger/kinds/guards/violations.ts';
import { waiverUsed } from '../../store/ledger/kinds/guards/waivers.ts';
import { correctionNoticed } from '../../store/ledger/kinds/memory/correction-noticed.ts';
import {
  definitionProposed,
  definitionRecorded,
  definitionsTrusted,
} from '../../store/ledger/kinds/protection/definitions.ts';
import { changeNoticed } from '../../store/ledger/kinds/protection/effective-changes.ts';
import { fileRestored } from '../../store/ledger/kinds/protection/file-restored.ts';
import { protectionResumed } from '../../store/ledger/kinds/protection/pause.ts';
import { remoteRecorded } from '../../store/ledger/kinds/protection/remote-recorded.ts';
import { featuresRecorded } from '../../store/ledger/kinds/work/features-recorded.ts';

/** The kinds that a hook writes: preparing all kinds would take longer than most answers. */
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

/** The entities in those entries. */
export const HOOK_ENTITIES = entityRegistry([feature, trace]);
