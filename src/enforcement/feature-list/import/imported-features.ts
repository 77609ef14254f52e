import { hash } from 'node:crypto';
import {
  canonicalCriterionId,
  normalizeCriterionText,
  splitCriterionId,
} from '../../../domain/criteria/criterion.ts';
import { fitsGitRef, isWorkId } from '../../../domain/entities/work-id.ts';
import type { ListedFeature, ListFault } from '../../../domain/feature-list/feature-list.ts';
import type { ListedCriterion } from '../../../domain/feature-list/list-fields.ts';

export const IMPORT_FORMATS = ['guardkit', 'quickstart', 'checklist'] as const;

/** The features in an imported file. */
export interface ImportedFeatures {
  format: (typeof IMPORT_FORMATS)[number];
  /** Without fields that only GuardKit sets. */
  features: ListedFeature[];
  /** Ids of features that the file marks as tested, passed or ticked. */
  claimed: string[];
  /** If there are any, nothing is imported. */
  faults: ListFault[];
}

export type ImportReading = { ok: true; imported: ImportedFeatures } | { ok: false; why: string };

export const MAX_IMPORTED = 5000;

export function importFault(place: string, why: string, guidance: string): ListFault {
  return { feature: place, field: 'features', why, guidance };
}

const MAX_WORDS = 40;

/**
 * Ids for features without one: the same text always gives the same id, so that a second import recognizes them. Repeated
 * texts are numbered.
 */
export function idsFromText(): (text: string) => { id: string; text: string } {
  const seen = new Map<string, number>();
  return (written) => {
    const { id: own, text } = splitCriterionId(written);
    const base = own !== undefined && text !== '' && isWorkId(own) && fitsGitRef(own) ? own : idOf(written);
    const count = (seen.get(base) ?? 0) + 1;
    seen.set(base, count);
    return { id: count === 1 ? base : `${base}-${count}`, text: base === own ? text : written };
  };
}

/** The first words, readable, and a short hash of the whole text. */
function idOf(text: string): string {
  const normal = normalizeCriterionText(text);
  const words = normal
    .slice(0, 400)
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_WORDS)
    .replace(/^-|-$/g, '');
  return `${words || 'feature'}-${hash('sha256', normal).slice(0, 8)}`;
}

/** Drops repeated texts, and ids that are already used. */
export function withoutRepeats(criteria: readonly ListedCriterion[]): ListedCriterion[] {
  const texts = new Set<string>();
  const ids = new Set<string>();
  return criteria.flatMap(({ id, text }) => {
    const normal = normalizeCriterionText(text);
    if (texts.has(normal)) return [];
    texts.add(normal);
    const canonical = id === undefined ? undefined : canonicalCriterionId(id);
    if (id === undefined || canonical === undefined || ids.has(canonical)) return [{ text }];
    ids.add(canonical);
    return [{ id, text }];
  });
}
