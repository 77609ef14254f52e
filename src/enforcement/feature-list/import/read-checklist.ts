import { FIELD_READERS } from '../../../domain/feature-list/list-fields.ts';
import {
  type ImportedFeatures,
  idsFromText,
  importFault,
  MAX_IMPORTED,
  withoutRepeats,
} from './imported-features.ts';

interface Item {
  line: number;
  indent: number;
  text: string;
  ticked: boolean;
  criteria: string[];
}

/** A Markdown checklist: `- [ ] …` is a feature, and each bullet below it is a criterion. */
export function readChecklist(text: string): ImportedFeatures {
  const imported: ImportedFeatures = { format: 'checklist', features: [], claimed: [], faults: [] };
  const idOf = idsFromText();
  const items = findItems(text);
  for (const item of items.slice(0, MAX_IMPORTED)) {
    const refuse = (why: string, expected: string) =>
      imported.faults.push(importFault(`line ${item.line}`, why, `Write ${expected}.`));
    const { id, text: description } = idOf(item.text);
    const criteria = FIELD_READERS.acceptance_criteria.read(item.criteria);
    if (FIELD_READERS.description.read(description) === undefined)
      refuse('its text is too long', FIELD_READERS.description.expected);
    else if (!criteria) refuse('its criteria cannot be read', FIELD_READERS.acceptance_criteria.expected);
    else {
      const status = item.ticked ? ({ status: 'completed' } as const) : {};
      imported.features.push({
        id,
        values: { description, acceptance_criteria: withoutRepeats(criteria), ...status },
      });
      if (item.ticked) imported.claimed.push(id);
    }
  }
  if (items.length > MAX_IMPORTED)
    imported.faults.push(importFault('', `there are more than ${MAX_IMPORTED} features`, 'Import fewer.'));
  return imported;
}

const BULLET = /^([ \t]{0,60})(?:[-*+]|\d{1,9}[.)])[ \t]{1,8}(?=\S)/;
const BOX = /^\[([ xX])\][ \t]{1,8}(?=\S)/;
const FENCE = /^[ \t]{0,60}(```|~~~)/;

function findItems(markdown: string): Item[] {
  const items: Item[] = [];
  let current: Item | undefined;
  /** The end of the current code fence or comment. */
  let until: string | undefined;
  for (const [index, line] of markdown.split(/\r\n|\r|\n/).entries()) {
    if (until !== undefined) {
      if (line.includes(until)) until = undefined;
      continue;
    }
    until = opened(line);
    if (until !== undefined || line.trim() === '') continue;
    const bullet = BULLET.exec(line);
    const indent = widthOf(bullet?.[1] ?? /^[ \t]{0,60}/.exec(line)?.[0] ?? '');
    const isBelow = current !== undefined && indent > current.indent;
    if (!bullet) {
      // An indented line continues the item above; any other line ends it.
      if (current && isBelow) continueItem(current, line.trim());
      else current = undefined;
      continue;
    }
    const content = line.slice(bullet[0].length).trim();
    const box = BOX.exec(content);
    const text = content.slice(box?.[0].length ?? 0);
    if (current && isBelow) current.criteria.push(text);
    else if (box) {
      current = { line: index + 1, indent, text, ticked: box[1] !== ' ', criteria: [] };
      items.push(current);
    } else current = undefined;
  }
  return items;
}

function opened(line: string): string | undefined {
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return fence;
  return line.trimStart().startsWith('<!--') && !line.includes('-->') ? '-->' : undefined;
}

function continueItem(item: Item, text: string): void {
  const last = item.criteria.pop();
  if (last === undefined) item.text += ` ${text}`;
  else item.criteria.push(`${last} ${text}`);
}

/** A tab counts as four spaces. */
function widthOf(space: string): number {
  return [...space].reduce((width, one) => width + (one === '\t' ? 4 : 1), 0);
}
