// The public API of the package; docs/reference/library.md describes it.
export type { GraphFile, GraphText, WriteResult } from './architecture/file/graph-file.ts';
export { LocalGraphFile } from './architecture/file/local-graph-file.ts';
export { extendSchema, type KnowledgeSchema } from './architecture/schema/knowledge-schema.ts';
export {
  type KnowledgeUpdateResult,
  knowledgeUpdate,
} from './architecture/update/knowledge-update.ts';
export { type KnowledgeUpdateRequest, knowledgeUpdateSchema } from './architecture/update/update-schema.ts';
export type { GraphFault } from './architecture/validation/graph-fault.ts';
export { defineEntity, type EntityDeclaration, type EntityType } from './domain/entities/entity-type.ts';
export { ENTITY_TYPES } from './domain/entities/entity-types.ts';
export type { Edge, Episode, EpisodeInput } from './domain/entities/episode.ts';
export { projectGroup } from './domain/entities/group.ts';
export { type ImplementationMode, implementationMode } from './domain/entities/implementation-mode.ts';
export { type Note, note } from './domain/entities/note.ts';
export { type QualityGateConfig, qualityGateConfig } from './domain/entities/quality-gate-config.ts';
export { type RoleConstraints, roleConstraints } from './domain/entities/role-constraints.ts';
export { type TurnState, turnState, turnStateId } from './domain/entities/turn-state.ts';
export type { JsonObject, JsonValue } from './domain/json/json.ts';
export { type ErrorKind, GuardKitError } from './guardkit-error.ts';
export type {
  AsOf,
  EntityRef,
  EpisodeStore,
  ExportRecord,
  Filter,
  GroupCount,
  ImportReport,
  ListOptions,
  Neighbour,
  NeighbourOptions,
  ReadOptions,
  RelationInput,
  SearchHit,
  SearchOptions,
  StoreInfo,
  StreamPosition,
  UpsertAction,
  UpsertManyOptions,
  UpsertResult,
} from './store/episode-store.ts';
export { type OpenStoreOptions, openStore } from './store/open-store.ts';
