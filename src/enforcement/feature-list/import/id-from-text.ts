import { hash } from 'node:crypto';
import { normalizeCriterionText, splitCriterionId } from '../../../domain/criteria/criterion.ts';
import { fitsGitRef, isWorkId } from '../../../domain/entities/work-id.ts';

const MAX_WORDS = 40;

/**
 * Ids for features that have none: always the same for the same text, so that a second import finds them again. Of several
 * with one text each has its own by its place among them.
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

/** The first words for people, and a few digits of all of it for the rest. */
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
