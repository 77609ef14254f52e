import { posix } from 'node:path';
import { isTestFile, mayHoldTests } from '../../domain/is-test-file.ts';
import { isSource } from './source-language.ts';

const MAX_TESTS = 3000;

export interface StartedProgramsRequest {
  files: ReadonlySet<string>;
  baseFiles: ReadonlySet<string>;
  readText(path: string): string | undefined;
}

/**
 * Whether a file is a package's program that tests start by its name. Tests run it in a process of its own, which many
 * coverage tools do not measure. Only for files of the base: new code cannot declare itself one.
 */
export function startedPrograms(request: StartedProgramsRequest): (path: string) => boolean {
  const { files, baseFiles, readText } = request;
  let programs: ReadonlySet<string> | undefined;
  let tests: string[] | undefined;
  return (path) => {
    if (!baseFiles.has(path)) return false;
    programs ??= programsOf(request);
    if (!programs.has(path)) return false;
    tests ??= [...files]
      .filter((one) => isSource(one) && (isTestFile(one) || mayHoldTests(one)))
      .slice(0, MAX_TESTS);
    const name = posix.basename(path);
    return tests.some((one) => namesFile(readText(one) ?? '', name));
  };
}

/** The `bin` entries of package files. */
function programsOf({ files, readText }: StartedProgramsRequest): Set<string> {
  const found = new Set<string>();
  for (const file of files) {
    if (posix.basename(file) !== 'package.json' || /(?:^|\/)(?:fixtures?|node_modules)\//.test(file))
      continue;
    for (const entry of binEntries(readText(file) ?? ''))
      found.add(posix.normalize(posix.join(posix.dirname(file), entry)));
  }
  return found;
}

function binEntries(text: string): string[] {
  try {
    const json: unknown = JSON.parse(text);
    const bin: unknown = json !== null && typeof json === 'object' ? Reflect.get(json, 'bin') : undefined;
    const values = bin !== null && typeof bin === 'object' ? Object.values(bin) : [bin];
    return values.filter((one) => typeof one === 'string');
  } catch {
    // Safe: without a readable package there is no program, and the file counts as usual.
    return [];
  }
}

/** In a string, at the end of a path. */
function namesFile(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1))
    if (/['"`/\\]/.test(text[at - 1] ?? '') && /['"`\s]/.test(text[at + name.length] ?? '')) return true;
  return false;
}
