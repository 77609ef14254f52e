import { hash } from 'node:crypto';
import { isNestedTooDeep } from '../json/json.ts';

/** A range of bytes, by its length and hash. */
interface Stretch {
  length: number;
  hash: string;
}

/** Consecutive features of a list, with the separator after the last. */
export interface ListBlock extends Stretch {
  ids: string[];
}

/** A list's text split between features, so that a change is found without parsing all of it. */
export interface ListBlocks {
  head: Stretch;
  blocks: ListBlock[];
  tail: Stretch;
}

/** Blocks from `first` up to, but not including, `end` changed; the bytes from `from` to `to` are there now. */
export interface ChangedBlocks {
  first: number;
  end: number;
  from: number;
  to: number;
}

/** Few enough to parse quickly, and few enough blocks to hash. */
const BLOCK_FEATURES = 25;

export const SEPARATOR = ',\n    ';

/** Splits a list that consists of `head`, features with separators, and `tail`. */
export function cutIntoBlocks(
  head: string,
  features: readonly { id: string; text: string }[],
  tail: string,
): ListBlocks {
  const blocks: ListBlock[] = [];
  for (let at = 0; at < features.length; at += BLOCK_FEATURES) {
    const members = features.slice(at, at + BLOCK_FEATURES);
    const isLast = at + BLOCK_FEATURES >= features.length;
    const text = members.map((one) => one.text).join(SEPARATOR) + (isLast ? '' : SEPARATOR);
    blocks.push({ ...stretch(Buffer.from(text)), ids: members.map(({ id }) => id) });
  }
  return { head: stretch(Buffer.from(head)), blocks, tail: stretch(Buffer.from(tail)) };
}

export function stretch(bytes: Buffer): Stretch {
  return { length: bytes.length, hash: hash('sha256', bytes, 'base64') };
}

/** The changed blocks; undefined if head or tail changed, an empty range if nothing changed. */
export function findChangedBlocks(
  bytes: Buffer,
  { head, blocks, tail }: ListBlocks,
): ChangedBlocks | undefined {
  const fits = (from: number, { length, hash: expected }: Stretch) =>
    from >= 0 &&
    from + length <= bytes.length &&
    stretch(bytes.subarray(from, from + length)).hash === expected;
  if (head.length + tail.length > bytes.length) return undefined;
  if (!fits(0, head) || !fits(bytes.length - tail.length, tail)) return undefined;
  let from = head.length;
  let to = bytes.length - tail.length;
  let first = 0;
  for (
    let block = blocks[first];
    block && from + block.length <= to && fits(from, block);
    block = blocks[first]
  ) {
    from += block.length;
    first += 1;
  }
  let end = blocks.length;
  for (let block = blocks[end - 1]; block && end > first; block = blocks[end - 1]) {
    if (to - block.length < from || !fits(to - block.length, block)) break;
    to -= block.length;
    end -= 1;
  }
  // Text added at the end starts with a separator, so the last feature is read with it.
  const last = blocks[first - 1];
  if (last && first === blocks.length && from < to) {
    first -= 1;
    from -= last.length;
  }
  return { first, end, from, to };
}

/**
 * The content of the changed blocks as a JSON list; undefined if it does not parse. Sound because the unchanged text around
 * it ends and starts between two features: a part that parses alone parses the same within the whole.
 */
export function parseChangedBlocks(
  bytes: Buffer,
  { blocks }: ListBlocks,
  { end, from, to }: ChangedBlocks,
): unknown[] | undefined {
  const text = bytes.toString('utf8', from, to).trimEnd();
  const isLast = end === blocks.length;
  if (text === '' || (!isLast && !text.endsWith(',')) || isNestedTooDeep(text)) return undefined;
  try {
    const items: unknown = JSON.parse(`[${isLast ? text : text.slice(0, -1)}]`);
    return Array.isArray(items) ? items : undefined;
  } catch {
    // Safe: the whole list is read instead, which reports the fault.
    return undefined;
  }
}

export function replaceBlocks(
  { head, blocks, tail }: ListBlocks,
  { first, end, from, to }: ChangedBlocks,
  bytes: Buffer,
  ids: string[],
): ListBlocks {
  const changed = { ...stretch(bytes.subarray(from, to)), ids };
  return { head, blocks: [...blocks.slice(0, first), changed, ...blocks.slice(end)], tail };
}
