// What the package exports to other programs. docs/reference/library.md describes it.
export type { GraphFile, GraphText, WriteResult } from './architecture/file/graph-file.ts';
export { LocalGraphFile } from './architecture/file/local-graph-file.ts';
export { extendSchema, type KnowledgeSchema } from './architecture/schema/knowledge-schema.ts';
export {
  type KnowledgeUpdateResult,
  knowledgeUpdate,
} from './architecture/update/knowledge-update.ts';
export { type KnowledgeUpdateRequest, knowledgeUpdateSchema } from './architecture/update/update-schema.ts';
export type { GraphFault } from './architecture/validation/graph-fault.ts';
export { defineEntity, type EntityDeclaration, type EntityType } from './domain/entity-type.ts';
export { ENTITY_TYPES } from './domain/entity-types.ts';
export type { Edge, Episode, EpisodeInput } from './domain/episode.ts';
export { projectGroup } from './domain/group.ts';
export { type ImplementationMode, implementationMode } from './domain/implementation-mode.ts';
export type { JsonObject, JsonValue } from './domain/json.ts';
export { type Note, note } from './domain/note.ts';
export { type QualityGateConfig, qualityGateConfig } from './domain/quality-gate-config.ts';
export { type RoleConstraints, roleConstraints } from './domain/role-constraints.ts';
export { type TurnState, turnState, turnStateId } from './domain/turn-state.ts';
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
