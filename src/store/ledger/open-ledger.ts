import type { EntityRegistry } from '../../domain/entities/entity-type.ts';
import { ENTITY_REGISTRY } from '../../domain/entities/entity-types.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import type { EntryKindRegistry } from './chain/entry-kind.ts';
import { ENTRY_KIND_REGISTRY } from './chain/entry-kinds.ts';
import { Ledger } from './ledger.ts';
import { openLedgerFile } from './open-ledger-file.ts';
import type { SharedWriter } from './shared-writer.ts';

export interface OpenLedgerOptions {
  path: string;
  clock?: Clock;
  kinds?: EntryKindRegistry;
  entityTypes?: EntityRegistry;
  /** How long a call waits for another process's write. */
  busyTimeoutMs?: number;
  /** The chain that the machines share, in a worker. */
  shared?: SharedWriter;
}

/** Opens the ledger at a path, or creates it. */
export function openLedger({
  path,
  clock = systemClock,
  kinds,
  entityTypes,
  busyTimeoutMs,
  shared,
}: OpenLedgerOptions): Ledger {
  return new Ledger({
    file: openLedgerFile(path, busyTimeoutMs),
    clock,
    shared,
    // Not created for callers that only read a table outside the chain.
    get kinds() {
      return kinds ?? ENTRY_KIND_REGISTRY;
    },
    get entityTypes() {
      return entityTypes ?? ENTITY_REGISTRY;
    },
  });
}
