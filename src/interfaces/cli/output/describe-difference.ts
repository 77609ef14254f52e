import { lstatSync } from 'node:fs';
import { createTwoFilesPatch } from 'diff';
import { readFileState, readRegular } from '../../../enforcement/restore/file-state.ts';
import { formatBytes } from './printable.ts';

const MAX_DIFF_BYTES = 1_000_000;

export interface ComparedVersion {
  /** The file itself or its copy; undefined if there is no file in this version. */
  file: string | undefined;
  label: string;
  mode: number | null;
  /** A copy of a link is a file that contains the target. */
  link?: boolean;
}

/** A unified diff of two versions of a file, with a line for a change of mode. */
export function describeDifference(before: ComparedVersion, after: ComparedVersion): string {
  const modes =
    before.mode !== null && after.mode !== null && before.mode !== after.mode
      ? [`mode ${octal(before.mode)} → ${octal(after.mode)}`]
      : [];
  return [...modes, ...contentLines(before, after)].join('\n');
}

export function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}

function contentLines(before: ComparedVersion, after: ComparedVersion): string[] {
  const [from, to] = [readText(before), readText(after)];
  if (typeof from !== 'string' || typeof to !== 'string')
    return [`${before.label}: ${shown(from)}`, `${after.label}: ${shown(to)}`];
  if (from === to) return ['The content is identical.'];
  const patch = createTwoFilesPatch(before.label, after.label, from, to, '', '', { context: 3 });
  // The first line is only a separator.
  return patch.trimEnd().split('\n').slice(1);
}

function shown(content: string | { what: string }): string {
  return typeof content === 'string' ? `text, ${formatBytes(Buffer.byteLength(content))}` : content.what;
}

function readText({ file, link }: ComparedVersion): string | { what: string } {
  if (file === undefined) return '';
  const state = readFileState(file);
  if (state.kind === 'absent') return '';
  if (state.kind === 'link') return { what: `link to ${state.target.toString()}` };
  if (state.kind !== 'file') return { what: state.kind === 'folder' ? 'folder' : 'not a readable file' };
  if (link) return { what: `link to ${readRegular(file).toString()}` };
  const { size } = lstatSync(file);
  if (size > MAX_DIFF_BYTES) return { what: `${formatBytes(size)}, too large for a diff` };
  const content = readRegular(file);
  return content.includes(0) ? { what: `binary, ${formatBytes(size)}` } : content.toString();
}
