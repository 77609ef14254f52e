import { isJs } from '../../../domain/is-test-file.ts';
import { isCargoManifest, withTestsListed } from '../../harness/cargo-manifest.ts';
import type { BraceLanguage } from '../lex-braces.ts';
import { examplesIn, withPythonExamples } from './python-examples.ts';
import { withRustExamples } from './rust-examples.ts';
import { hidesTestBlocks, withTestBlocks } from './test-blocks.ts';

const DOCUMENT = /\.(?:rst|md|txt)$/;

/** Whether a file may contain tests beside its code, or list them. */
export function mayHoldInSourceTests(path: string): boolean {
  return isJs(path) || isCargoManifest(path) || /\.(?:rs|py)$/.test(path) || DOCUMENT.test(path);
}

interface Versions {
  /** Empty if this version does not have the file. */
  code: string;
  tests: string;
}

/**
 * One version's code with the other version's tests and examples in the same file. Undefined if the other version has none
 * or the same ones. `doctests`: whether doctest runs the examples of Python sources and documents.
 */
export function withTestsOf(
  path: string,
  { code, tests }: Versions,
  { doctests }: { doctests: boolean },
): string | undefined {
  if (isCargoManifest(path)) return withTestsListed(code, tests);
  if (path.endsWith('.rs')) {
    // A new module is not part of the base's crate.
    if (code === '') return undefined;
    const withBlocks = withBlocksOf(path, { code, tests });
    return withRustExamples(withBlocks ?? code, tests) ?? withBlocks;
  }
  if (isJs(path)) return withBlocksOf(path, { code, tests });
  if (!doctests) return undefined;
  if (path.endsWith('.py')) return withPythonExamples(code, tests);
  const examples = examplesIn(tests);
  return examples === '' || examples === examplesIn(code) ? undefined : tests;
}

/** The same with test blocks only: examples are documentation, whose texts are compared instead. */
export function withBlocksOf(path: string, { code, tests }: Versions): string | undefined {
  const language = blockLanguage(path, tests);
  return language && withTestBlocks(code, tests, language);
}

/** Whether one version has test blocks, and those of the other version cannot be found. */
export function hidesBlocksOf(path: string, { code, tests }: Versions): boolean {
  const language = blockLanguage(path, tests);
  return language !== undefined && hidesTestBlocks(code, tests, language);
}

export function mayHoldBlocks(path: string, text: string): boolean {
  return blockLanguage(path, text) !== undefined;
}

/** Undefined if the file cannot have test blocks. */
function blockLanguage(path: string, text: string): BraceLanguage | undefined {
  if (path.endsWith('.rs')) return 'rust';
  if (!isJs(path) || !text.includes('import.meta.vitest')) return undefined;
  return /\.[cm]?ts$/.test(path) ? 'js' : 'jsx';
}
