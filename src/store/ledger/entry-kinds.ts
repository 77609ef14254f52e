import { type EntryKind, entryKindRegistry } from './entry-kind.ts';
import { turnRecorded } from './kinds/turn-recorded.ts';

/** Every kind of entry GuardKit itself records. */
export const ENTRY_KINDS: readonly EntryKind[] = [turnRecorded];

export const ENTRY_KIND_REGISTRY = entryKindRegistry(ENTRY_KINDS);
