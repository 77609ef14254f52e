import type { HarnessChange } from './compare-harness.ts';

/** The line of a file in which a changed part begins: that of its first new line, or else of its name. */
export function locateChange(text: string, { part, after }: HarnessChange): number | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const first = after
    ?.split('\n')
    .find((line) => line.trim() !== '')
    ?.trim();
  const key = part.slice(part.search(/[^.]*$/));
  const sought: ((line: string) => boolean)[] = [
    (line) => first !== undefined && line === first,
    // Keys of a package.json and sections of other files.
    (line) =>
      line.startsWith(`"${key}"`) || line === part || line === part.replace(/^target /, '').concat(':'),
    (line) => first !== undefined && first.length > 3 && line.includes(first),
  ];
  for (const fits of sought) {
    const at = lines.findIndex(fits);
    if (at !== -1) return at + 1;
  }
  return undefined;
}
