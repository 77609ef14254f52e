import { architectureNode } from './architecture-node.ts';
import { type EntityType, entityRegistry } from './entity-type.ts';
import { evidence } from './evidence.ts';
import { failedApproach } from './failed-approach.ts';
import { failurePattern } from './failure-pattern.ts';
import { feature } from './feature.ts';
import { featureOverview } from './feature-overview.ts';
import { implementationMode } from './implementation-mode.ts';
import { learnedGuard } from './learned-guard.ts';
import { note } from './note.ts';
import { pattern } from './pattern.ts';
import { qualityGateConfig } from './quality-gate-config.ts';
import { roleConstraints } from './role-constraints.ts';
import { successfulFix } from './successful-fix.ts';
import { taskOutcome } from './task-outcome.ts';
import { trace } from './trace.ts';
import { turnState } from './turn-state.ts';
import { verification } from './verification.ts';

/** Every entity type that GuardKit stores. */
export const ENTITY_TYPES: readonly EntityType[] = [
  roleConstraints,
  qualityGateConfig,
  implementationMode,
  turnState,
  feature,
  featureOverview,
  taskOutcome,
  failedApproach,
  evidence,
  verification,
  architectureNode,
  trace,
  pattern,
  failurePattern,
  successfulFix,
  learnedGuard,
  note,
];

export const ENTITY_REGISTRY = entityRegistry(ENTITY_TYPES);
