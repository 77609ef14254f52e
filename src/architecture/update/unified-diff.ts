import { createTwoFilesPatch, FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';
import { MAX_CHANGED_LINES } from '../merge/merge-lines.ts';

const CONTEXT = { context: 3 };

/** The change between two texts in the format of `diff -u` and git; empty if they are the same. */
export function unifiedDiff(name: string, before: string | undefined, after: string): string {
  if (before === after) return '';
  const names = [before === undefined ? '/dev/null' : `a/${name}`, `b/${name}`] as const;
  const options = { ...CONTEXT, headerOptions: FILE_HEADERS_ONLY, maxEditLength: MAX_CHANGED_LINES };
  const patch = createTwoFilesPatch(...names, before ?? '', after, undefined, undefined, options);
  return patch ?? replaceAll(names, before ?? '', after);
}

function replaceAll(names: readonly [string, string], before: string, after: string): string {
  const [removed] = structuredPatch(...names, before, '', undefined, undefined, CONTEXT).hunks;
  const [added] = structuredPatch(...names, '', after, undefined, undefined, CONTEXT).hunks;
  const hunk = {
    oldStart: removed?.oldStart ?? 0,
    oldLines: removed?.oldLines ?? 0,
    newStart: added?.newStart ?? 0,
    newLines: added?.newLines ?? 0,
    lines: [...(removed?.lines ?? []), ...(added?.lines ?? [])],
  };
  const [oldFileName, newFileName] = names;
  const patch = { oldFileName, newFileName, oldHeader: undefined, newHeader: undefined, hunks: [hunk] };
  return formatPatch(patch, FILE_HEADERS_ONLY);
}
