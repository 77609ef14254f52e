import { writeFeatureList } from '../../domain/feature-list.ts';
import { type JsonObject, sha256 } from '../../domain/json.ts';
import { featuresNumber, readFeatures } from '../../store/ledger/feature-table.ts';
import { keepKnownList, type ListPlace } from './known-list.ts';
import { writeListFile } from './write-list-file.ts';

/** Writes the list from the ledger, in a transaction of the caller's, so that nobody else writes it meanwhile. */
export function projectList(
  place: ListPlace,
  { absent, extra }: { absent: readonly string[]; extra: JsonObject },
): void {
  const { ledger, project, checkout } = place;
  const hidden = new Set(absent);
  const features = readFeatures(ledger, project).filter(({ id }) => !hidden.has(id));
  const text = writeFeatureList(project, features, extra);
  writeListFile(checkout, text);
  const number = featuresNumber(ledger, project);
  // Without a stamp: it was written just now, and another change at once could leave the same.
  keepKnownList(place, { stamp: '', number, hash: sha256(text), absent, extra });
}
