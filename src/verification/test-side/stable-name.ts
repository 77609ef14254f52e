import { type TestResult, testKey } from '../../domain/entities/test-report.ts';

/** Parts of a test's name that vary between runs: random ids, times, ports and temporary folders. */
const VOLATILE: readonly RegExp[] = [
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?/g,
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:\d{1,2} )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [\w: ,+()-]{4,60}/g,
  /(?:\/private)?\/(?:tmp|var\/folders)\/[^\s'"`)\]]{1,300}/g,
  /\b(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[::1?\]):\d{2,5}\b/g,
  // Measured times, such as 4.24018199999955 ms.
  /\b\d{1,12}\.\d{9,20}\b/g,
  /\b1[0-9]{9}(?:\d{3}(?:\d{3}(?:\d{3})?)?)?\b/g,
  /\b\d{1,3}:\d\d:\d\d(?:\.\d{1,9})?\b/g,
  /\b(?=[0-9a-f]{0,39}[0-9])(?=[0-9a-f]{0,39}[a-f])[0-9a-f]{16,64}\b/gi,
  /\b0x[0-9a-f]{8,16}\b/gi,
];

/** A test's name without its volatile parts. */
export function stableName(name: string): string {
  return VOLATILE.reduce((text, pattern) => text.replace(pattern, '…'), name);
}

/** Identifies a test across runs, whatever values its name contains. */
export function stableKey(test: Pick<TestResult, 'name' | 'file' | 'package'>): string {
  return testKey({ ...test, name: stableName(nameInFile(test)) });
}

/** The same without the package of a Go test, which comparisons do not name; its file tells it apart. */
export function keyInFile({ name, file }: Pick<TestResult, 'name' | 'file'>): string {
  return stableKey({ name, ...(file === undefined ? {} : { file }) });
}

/**
 * The name of a Python example without its module: of `pkg.sub.add` in `src/pkg/sub.py`, `.add`. The module's name changes
 * with its file, and with the `__init__.py` around it. Other names stay as they are.
 */
export function nameInFile({ name, file }: Pick<TestResult, 'name' | 'file'>): string {
  if (!file?.endsWith('.py')) return name;
  const folders = file.replace(/(?:\/__init__)?\.py$/, '').split('/');
  // A module has no more parts than the name.
  for (let at = Math.max(0, folders.length - name.split('.').length); at < folders.length; at += 1) {
    const module = folders.slice(at).join('.');
    if (name === module || name.startsWith(`${module}.`)) return name.slice(module.length);
  }
  return name;
}
