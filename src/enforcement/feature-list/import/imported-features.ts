import type { ListedFeature, ListFault } from '../../../domain/feature-list/feature-list.ts';

export const IMPORT_FORMATS = ['guardkit', 'quickstart', 'checklist'] as const;

/** What a file of somebody's says is to be done. */
export interface ImportedFeatures {
  format: (typeof IMPORT_FORMATS)[number];
  /** Nothing in them is GuardKit's to set. */
  features: ListedFeature[];
  /** Ids of those that the file says are tested, passed or ticked off. */
  claimed: string[];
  /** What could not be read; then nothing is imported. */
  faults: ListFault[];
}

export type ImportReading = { ok: true; imported: ImportedFeatures } | { ok: false; why: string };

export const MAX_IMPORTED = 5000;

export function importFault(place: string, why: string, guidance: string): ListFault {
  return { feature: place, field: 'features', why, guidance };
}
