import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const SRC = fileURLToPath(new URL('../../src', import.meta.url));

export interface SourceImport {
  /** Path under src/, or the name of a package. */
  to: string;
  isPackage: boolean;
  /** `import type` and `export type` add nothing to the program. */
  typeOnly: boolean;
  dynamic: boolean;
}

const STATIC = /^(?:import|export)\s+(?<type>type\s)?(?:[^'";]*?\sfrom\s+)?'(?<to>[^']+)'/gm;
const DYNAMIC = /\bimport\('(?<to>[^']+)'\)/g;

export function sourceFiles(): string[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
}

export function importsOf(file: string): SourceImport[] {
  const text = readFileSync(join(SRC, file), 'utf8');
  const found = (pattern: RegExp, dynamic: boolean) =>
    [...text.matchAll(pattern)].map(({ groups }) => {
      const to = groups?.to ?? '';
      const isPackage = !to.startsWith('.');
      return {
        to: isPackage ? to : relative(SRC, resolve(SRC, dirname(file), to)).replaceAll('\\', '/'),
        isPackage,
        typeOnly: groups?.type !== undefined,
        dynamic,
      };
    });
  return [...found(STATIC, false), ...found(DYNAMIC, true)];
}
