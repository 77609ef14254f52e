import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it.each(['package-lock.json', 'bench/package-lock.json'])(
  '%s names packages by version, never by the address they came from [ARCH-2]',
  (file) => {
    const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
    expect(text).toContain('"lockfileVersion"');
    expect(text).not.toContain('"resolved"');
  },
);
