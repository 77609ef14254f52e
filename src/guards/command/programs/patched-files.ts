import { pathsInPatch } from '../../../domain/patches/read-patch.ts';
import type { Field } from '../words/field.ts';
import { HOLE, isKnown, plainField } from '../words/field.ts';
import { type Call, loseTrack, type Program, use } from './call.ts';
import { contentsOf } from './run-file.ts';

/** Records the files that known patches change. */
export function patchedFiles(
  call: Call,
  patches: readonly Field[],
  strip: string | undefined,
  folder: string | undefined,
): void {
  const texts =
    patches.length === 0
      ? [call.frame.stdin ?? HOLE]
      : patches.flatMap((one) => contentsOf(call, one) ?? [HOLE]);
  for (const text of texts) {
    if (!isKnown(text)) call.shell.findings.unclear(`${call.name} changes the files in an unknown patch`);
    for (const line of text.split('\n')) {
      const match = /^(\+\+\+|---|rename to|rename from|copy to) ([^\t\n]{1,4096})/.exec(line);
      if (match === null || match[2] === '/dev/null') continue;
      const named = match[1]?.startsWith('r') === true || match[1] === 'copy to';
      const path = named ? (match[2] ?? '') : stripped(match[2] ?? '', strip);
      use(call, 'write', plainField(folder === undefined ? path : `${folder}/${path}`));
    }
  }
}

function stripped(path: string, strip: string | undefined): string {
  const count = strip === undefined ? 1 : Number(strip);
  const parts = path.replace(/^"|"$/g, '').split('/');
  if (!Number.isSafeInteger(count) || (strip === undefined && !/^[abciow]$/.test(parts[0] ?? '')))
    return path;
  return parts.slice(count).join('/') || path;
}

/** Agents' own command for patches in the `*** Begin Patch` format, from its argument or its input. */
export const appliedPatch: Program = (call) => {
  const text = call.args[0]?.text ?? call.frame.stdin ?? HOLE;
  if (!isKnown(text)) loseTrack(call, `${call.name} changes the files in an unknown patch`);
  for (const { path, deleted } of pathsInPatch(text))
    use(call, deleted ? 'delete' : 'write', plainField(path));
  return '';
};
