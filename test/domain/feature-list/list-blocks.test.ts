import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Feature, featureSchema } from '../../../src/domain/entities/feature.ts';
import { layOutFeatureList, writeFeatureList } from '../../../src/domain/feature-list/feature-list.ts';
import {
  cutIntoBlocks,
  findChangedBlocks,
  type ListBlocks,
  parseChangedBlocks,
  replaceBlocks,
} from '../../../src/domain/feature-list/list-blocks.ts';

const FEATURES = Array.from({ length: 70 }, (_, index) =>
  featureSchema.parse({ id: `F${index}`, description: `Thing ${index}, schön`, notes: 'a\nb' }),
);

function blocksOf(features: readonly Feature[]): ListBlocks {
  const { head, parts, tail } = layOutFeatureList('shop-1', features, { team: 'blue' });
  return cutIntoBlocks(head, parts, tail);
}

const TEXT = writeFeatureList('shop-1', FEATURES, { team: 'blue' });
const BLOCKS = blocksOf(FEATURES);

function changedIn(text: string, blocks = BLOCKS) {
  return findChangedBlocks(Buffer.from(text), blocks);
}

/** The ids that are read of a text, by the blocks of another one. */
function idsIn(text: string, blocks = BLOCKS): string[] | undefined {
  const changed = changedIn(text, blocks);
  const items = changed && parseChangedBlocks(Buffer.from(text), blocks, changed);
  return items?.map((item) => String((item as { id?: unknown }).id));
}

it('cuts the very text that is written', () => {
  const length = BLOCKS.blocks.reduce(
    (sum, block) => sum + block.length,
    BLOCKS.head.length + BLOCKS.tail.length,
  );
  expect(length).toBe(Buffer.byteLength(TEXT));
  expect(BLOCKS.blocks.flatMap(({ ids }) => ids)).toEqual(FEATURES.map(({ id }) => id));
  expect(JSON.parse(TEXT)).toMatchObject({ version: 1, project: 'shop-1', team: 'blue' });
});

it('finds nothing changed in a text that is as it was, an empty list included', () => {
  expect(changedIn(TEXT)).toMatchObject({ first: 3, end: 3 });
  const empty = writeFeatureList('shop-1', [], { team: 'blue' });
  expect(JSON.parse(empty)).toMatchObject({ features: [] });
  const found = changedIn(empty, blocksOf([]));
  expect(found?.from).toBe(found?.to);
});

it('reads only the blocks around a change', () => {
  const ids = idsIn(TEXT.replace('"Thing 30, schön"', '"Something else"'));
  expect(ids).toEqual(FEATURES.slice(25, 50).map(({ id }) => id));
});

it('reads additions at the end and at the start', () => {
  const added = [...FEATURES, featureSchema.parse({ id: 'NEW' })];
  expect(idsIn(writeFeatureList('shop-1', added, { team: 'blue' }))?.at(-1)).toBe('NEW');
  const first = [featureSchema.parse({ id: 'NEW' }), ...FEATURES];
  expect(idsIn(writeFeatureList('shop-1', first, { team: 'blue' }))?.[0]).toBe('NEW');
});

it('falls back to the whole list if the text around the features changed or is not a list', () => {
  expect(changedIn(TEXT.replace('"blue"', '"red"'))).toBeUndefined();
  expect(changedIn(TEXT.replace('shop-1', 'shop-2'))).toBeUndefined();
  expect(changedIn('')).toBeUndefined();
  expect(idsIn(TEXT.replace('"Thing 30', '"Thing 30"'))).toBeUndefined();
  // A second list of features, hidden where the first one ends.
  const end = TEXT.indexOf('\n    },\n    {\n      "id": "F30"');
  const two = `${TEXT.slice(0, end)}\n    }], "features": [{"id": "F29"${TEXT.slice(end)}`;
  expect(JSON.parse(two).features).not.toHaveLength(70);
  expect(idsIn(two)).toBeUndefined();
});

it('for any change, the blocks read the same as the whole list', () => {
  const edit = fc.record({
    at: fc.nat(TEXT.length),
    removed: fc.nat(2000),
    put: fc.oneof(
      fc.string(),
      fc.constantFrom('', ',', '{"id":"X"},', '{"id":"X"}', '"', ']', '],"features":[', '}', '{', '\\', 'ö'),
    ),
  });
  let read = 0;
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 2 }), (edits) => {
      const text = edits.reduce(
        (before, { at, removed, put }) => before.slice(0, at) + put + before.slice(at + removed),
        TEXT,
      );
      const changed = changedIn(text);
      const items = changed && parseChangedBlocks(Buffer.from(text), BLOCKS, changed);
      if (!changed || !items) return;
      read += 1;
      const before = JSON.parse(TEXT).features;
      const start = BLOCKS.blocks.slice(0, changed.first).flatMap(({ ids }) => ids).length;
      const end = BLOCKS.blocks.slice(0, changed.end).flatMap(({ ids }) => ids).length;
      expect(JSON.parse(text).features).toEqual([...before.slice(0, start), ...items, ...before.slice(end)]);
    }),
    { numRuns: 500 },
  );
  expect(read).toBeGreaterThan(10);
});

it('blocks that were replaced fit the text that they were replaced for', () => {
  const text = TEXT.replace('"Thing 30, schön"', '"Something else"');
  const changed = changedIn(text);
  if (!changed) throw new Error('nothing was found');
  const next = replaceBlocks(BLOCKS, changed, Buffer.from(text), idsIn(text) ?? []);
  const found = changedIn(text, next);
  expect(found?.from).toBe(found?.to);
  expect(idsIn(TEXT, next)).toEqual(FEATURES.slice(25, 50).map(({ id }) => id));
});
