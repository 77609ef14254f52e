import { layOutFeatureList } from '../../domain/feature-list.ts';
import type { JsonObject } from '../../domain/json.ts';
import { cutIntoBlocks, SEPARATOR } from '../../domain/list-blocks.ts';
import { featuresNumber, readFeatures } from '../../store/ledger/feature-table.ts';
import { keepKnownList, keepListBlocks, type ListPlace } from './known-list.ts';
import { writeListFile } from './write-list-file.ts';

/** Writes the list from the ledger, in a transaction of the caller's, so that nobody else writes it meanwhile. */
export function projectList(
  place: ListPlace,
  { absent, extra }: { absent: readonly string[]; extra: JsonObject },
): void {
  const { ledger, project, checkout } = place;
  const hidden = new Set(absent);
  const features = readFeatures(ledger, project).filter(({ id }) => !hidden.has(id));
  const { head, parts, tail } = layOutFeatureList(project, features, extra);
  writeListFile(checkout, head + parts.map(({ text }) => text).join(SEPARATOR) + tail);
  // Without a stamp: it was written just now, and another change at once could leave the same.
  keepKnownList(place, { stamp: '', number: featuresNumber(ledger, project), hash: '', absent, extra });
  keepListBlocks(place, cutIntoBlocks(head, parts, tail));
}
