import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the probe lies: beside this file in the sources, beside the bundle in what is shipped. */
export function probePath(): string {
  const places = ['./probe/probe.mjs', '../probe/probe.mjs'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`the probe is missing; looked at ${places.join(', ')}`);
  return found;
}
