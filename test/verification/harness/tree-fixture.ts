import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compareHarness, type HarnessChange } from '../../../src/verification/harness/compare-harness.ts';
import { type DescribeOptions, describeHarness } from '../../../src/verification/harness/describe-harness.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

export type Files = Record<string, string>;

export function tree(files: Files): string {
  const root = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

/** The changes between a tree and the same tree with some files replaced, or removed by undefined. */
export async function changesOf(
  command: string | string[],
  base: Files,
  changed: Record<string, string | undefined>,
  options: DescribeOptions = {},
): Promise<HarnessChange[]> {
  const commands = typeof command === 'string' ? [command] : command;
  const after = Object.fromEntries(
    Object.entries({ ...base, ...changed }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  return compareHarness(
    await describeHarness(tree(base), commands, options),
    await describeHarness(tree(after), commands, options),
  );
}

/** The same in short form. */
export async function shortChanges(...input: Parameters<typeof changesOf>): Promise<string[]> {
  return (await changesOf(...input)).map(({ type, path, part }) => `${type} ${path} ${part}`).sort();
}
