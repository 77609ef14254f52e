import { lstatSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../../platform/files/atomic-file.ts';
import type { WiringStep } from '../settings-file.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/** Why a settings file cannot be used. */
export class FileFault extends Error {}

/**
 * A change to a settings file of an agent. The file is read again before it is written: other parts of GuardKit may be
 * installed in the same one. `edit` returns an empty text if nothing is left.
 */
export function editTextStep(
  root: string,
  file: string,
  edit: (text: string | undefined) => string,
): WiringStep {
  const path = join(root, file);
  const { real: target, text } = readText(path);
  const after = edit(text);
  const gone = after === '' ? (text === undefined ? ('keep' as const) : ('remove' as const)) : undefined;
  return {
    path: file,
    target,
    action: after === text ? 'keep' : (gone ?? (text === undefined ? 'create' : 'change')),
    perform: () => {
      const now = readText(path);
      const wanted = edit(now.text);
      if (wanted === now.text) return;
      if (wanted === '') return rmSync(now.real, { force: true });
      const mode = statSync(now.real, { throwIfNoEntry: false })?.mode;
      writeFileAtomic(now.real, wanted, mode === undefined ? 0o644 : mode & 0o777);
    },
  };
}

/** The text is undefined without a file; `real` is the target of a link. */
export function readText(path: string): { real: string; text: string | undefined } {
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })) return { real: path, text: undefined };
    const stat = statSync(path);
    if (!stat.isFile()) throw new FileFault('it is not a file');
    if (stat.size > MAX_BYTES) throw new FileFault('it is larger than 4 MB');
    return { real: realpathSync(path), text: readFileSync(path, 'utf8') };
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new FileFault(`it cannot be read (${error.code})`);
    throw error;
  }
}

/**
 * GuardKit's part of an agent's TOML file, between two comments, so that nothing else has to be parsed. A key outside of any
 * table has to be at the top, a table can be at the end.
 */
export interface TomlBlock {
  name: string;
  at: 'top' | 'end';
}

/** The text with this content of the block, or without the block. */
export function withBlock(text: string, block: TomlBlock, content: readonly string[] | undefined): string {
  const rest = text.replace(patternOf(block), '');
  if (!content) return rest.trim() === '' ? '' : rest;
  const lines = [`# guardkit ${block.name}: begin`, ...content, `# guardkit ${block.name}: end`, ''].join(
    '\n',
  );
  if (rest === '') return lines;
  const end = rest.endsWith('\n') ? '' : '\n';
  return block.at === 'top' ? `${lines}\n${rest}` : `${rest}${end}\n${lines}`;
}

/** The lines of the block; undefined without it. */
export function blockIn(text: string, block: TomlBlock): string[] | undefined {
  return patternOf(block).exec(text)?.[0].trim().split('\n').slice(1, -1);
}

/** With the blank line that separates it from the rest. */
function patternOf({ name, at }: TomlBlock): RegExp {
  const lines = `# guardkit ${name}: begin\\n[\\s\\S]*?# guardkit ${name}: end\\n`;
  return new RegExp(at === 'top' ? `^${lines}\\n?` : `(?:^|\\n)${lines}`);
}
