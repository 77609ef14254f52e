import { hash } from 'node:crypto';
import { isNestedTooDeep } from '../json/json.ts';

/** A stretch of bytes, by its length and what it hashes to. */
interface Stretch {
  length: number;
  hash: string;
}

/** Some features that follow each other in a list, with what parts the last of them from the next block. */
export interface ListBlock extends Stretch {
  ids: string[];
}

/** A list's text cut between features, so that a change shows where it is without all of it being parsed. */
export interface ListBlocks {
  head: Stretch;
  blocks: ListBlock[];
  tail: Stretch;
}

/** Blocks from `first` up to, and without, `end` are not as they were; the bytes from `from` to `to` stand there now. */
export interface ChangedBlocks {
  first: number;
  end: number;
  from: number;
  to: number;
}

/** As many as are parsed in no time, and few enough blocks to hash. */
const BLOCK_FEATURES = 25;

export const SEPARATOR = ',\n    ';

/** The blocks of a list that is written as `head`, features with separators between them, and `tail`. */
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

/** Which blocks have changed, if it is only blocks: undefined where what is around them has. No blocks where nothing has. */
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
  // What was added at the end begins with what parts it from the last feature, so that this one is read with it.
  const last = blocks[first - 1];
  if (last && first === blocks.length && from < to) {
    first -= 1;
    from -= last.length;
  }
  return { first, end, from, to };
}

/**
 * What stands in the changed blocks, as a JSON list. Sound because the texts before and after are as they were, and end
 * and begin between two features: what parses there alone parses the same within the whole. Undefined where it does not.
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
    // Safe: the whole list is read instead, and says what is wrong with it.
    return undefined;
  }
}

/** The blocks after a change of some of them. */
export function replaceBlocks(
  { head, blocks, tail }: ListBlocks,
  { first, end, from, to }: ChangedBlocks,
  bytes: Buffer,
  ids: string[],
): ListBlocks {
  const changed = { ...stretch(bytes.subarray(from, to)), ids };
  return { head, blocks: [...blocks.slice(0, first), changed, ...blocks.slice(end)], tail };
}
