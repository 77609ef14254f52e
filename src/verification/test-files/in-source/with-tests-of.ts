import { isJs } from '../../../domain/is-test-file.ts';
import { withTestsListed } from '../../harness/cargo-manifest.ts';
import { examplesIn, withPythonExamples } from './python-examples.ts';
import { withRustExamples } from './rust-examples.ts';
import { withTestBlocks } from './test-blocks.ts';

export interface SpliceOptions {
  /** Also tests of code that only the other version has; they are expected to fail. */
  every: boolean;
  /** Whether doctest runs the examples of Python sources and documents. */
  doctests: boolean;
}

const DOCUMENT = /\.(?:rst|md|txt)$/;

/** Whether a file may contain tests beside its code, or list them. */
export function mayHoldInSourceTests(path: string): boolean {
  return isJs(path) || isCargoManifest(path) || /\.(?:rs|py)$/.test(path) || DOCUMENT.test(path);
}

/**
 * One version's code (empty if it has no such file) with the other version's tests in the same file. Undefined if the
 * other version has none or the same ones.
 */
export function withTestsOf(
  path: string,
  { code, tests }: { code: string; tests: string },
  { every, doctests }: SpliceOptions,
): string | undefined {
  if (isCargoManifest(path)) return every ? withTestsListed(code, tests) : undefined;
  if (path.endsWith('.rs')) {
    // A new module is not part of the base's crate.
    if (code === '') return undefined;
    const withBlocks = withTestBlocks(code, tests, 'rust');
    return withRustExamples(withBlocks ?? code, tests, { every }) ?? withBlocks;
  }
  if (isJs(path)) {
    if (!tests.includes('import.meta.vitest')) return undefined;
    return withTestBlocks(code, tests, /\.[cm]?ts$/.test(path) ? 'js' : 'jsx');
  }
  if (!doctests) return undefined;
  if (path.endsWith('.py')) return withPythonExamples(code, tests, { every });
  const examples = examplesIn(tests);
  return examples === '' || examples === examplesIn(code) ? undefined : tests;
}

function isCargoManifest(path: string): boolean {
  return /(?:^|\/)Cargo\.toml$/.test(path);
}
