import { readFileSync } from 'node:fs';
import { isFlag, isOneOf, isShape, isText, orNull } from '../../domain/json/plain-shape.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { type ShellRepository, shellFolder } from './shell-folder.ts';

/** The person's settings before GuardKit's prefix, for the launcher and for uninstall. */
export interface PreviousSettings {
  /** Chained: it runs inside the sandbox. */
  prefix: string | null;
  /** Where it was set; only `local` must be restored. */
  from: 'local' | 'home' | 'environment' | null;
  /** `"disableAllHooks": false` was already set. */
  hooksEnabled: boolean;
}

const isPreviousSettings = isShape({
  prefix: orNull(isText),
  from: orNull(isOneOf(['local', 'home', 'environment'])),
  hooksEnabled: isFlag,
});

export function readPreviousSettings(
  dataFolder: string,
  repository: ShellRepository,
): PreviousSettings | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(shellFolder(dataFolder, repository).chain, 'utf8'));
    return isPreviousSettings(value) ? value : undefined;
  } catch {
    // Safe: without the file there was no prefix.
    return undefined;
  }
}

export function writePreviousSettings(
  dataFolder: string,
  repository: ShellRepository,
  settings: PreviousSettings,
): void {
  const { path, chain } = shellFolder(dataFolder, repository);
  makeFolder(path, 0o700);
  writeFileAtomic(chain, `${JSON.stringify(settings)}\n`, 0o600);
}
