import { featureText, layOutFeatureTexts } from '../../domain/feature-list/feature-list.ts';
import { cutIntoBlocks, SEPARATOR } from '../../domain/feature-list/list-blocks.ts';
import type { JsonObject } from '../../domain/json/json.ts';
import { inTransaction } from '../../store/ledger/in-transaction.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { featuresNumber, parseFeature, readFeatureBodies } from '../../store/ledger/tables/feature-table.ts';
import { type FeatureListContext, findKnownList, keepKnownList, keepListBlocks } from './known-list.ts';
import { isListPathFree, noteListText, writeListFile } from './list-file.ts';

/** Writes the list from the ledger. Call it in a transaction, which keeps others from writing it. */
export function projectList(
  context: FeatureListContext,
  { absent, extra }: { absent: readonly string[]; extra: JsonObject },
): void {
  const { ledger, project, checkout } = context;
  const hidden = new Set(absent);
  const texts = featureTexts(ledger, project).filter(({ id }) => !hidden.has(id));
  const { head, parts, tail } = layOutFeatureTexts(project, texts, extra);
  const list = Buffer.from(head + parts.map(({ text }) => text).join(SEPARATOR) + tail);
  noteListText(context, list);
  writeListFile(checkout, list);
  // Without a stamp: another change right now could leave the same one.
  keepKnownList(context, { stamp: '', number: featuresNumber(ledger, project), hash: '', absent, extra });
  keepListBlocks(context, cutIntoBlocks(head, parts, tail));
}

/** Writes the first list of a checkout. Anything in its place stays. */
export function createList(context: FeatureListContext, absent: readonly string[]): void {
  inTransaction(context.ledger, () => {
    if (findKnownList(context) || !isListPathFree(context.checkout)) return;
    projectList(context, { absent, extra: {} });
  });
}

const written = new WeakMap<Ledger, Map<string, string>>();

/** Usually one of a thousand features has changed, so the texts of the others are reused. */
function featureTexts(ledger: Ledger, project: string): { id: string; text: string }[] {
  const before = written.get(ledger);
  const now = new Map<string, string>();
  const texts = readFeatureBodies(ledger, project).map(({ id, body }) => {
    const text = before?.get(body) ?? featureText(parseFeature(body));
    now.set(body, text);
    return { id, text };
  });
  written.set(ledger, now);
  return texts;
}
