import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { LEFT_OUT_VARIABLES, quote } from './hook-launcher.ts';
import { programFile } from './own-package.ts';
import type { WiringStep } from './settings-file.ts';

const MODE = 0o700;

/** The script that agents start to get GuardKit's tools. */
export function mcpLauncherPath(dataFolder: string): string {
  return join(dataFolder, 'bin', 'guardkit-mcp');
}

function mcpLauncherText(dataFolder: string): string {
  const program = [process.execPath, programFile(), 'mcp'];
  return `#!/bin/sh
# Written by guardkit init --mcp. Serves GuardKit's tools to a coding agent; guardkit uninstall removes it.
unset ${LEFT_OUT_VARIABLES}
GUARDKIT_HOME=${quote(dataFolder)}
export GUARDKIT_HOME
exec ${program.map(quote).join(' ')} "$@"
`;
}

export function mcpLauncherStep(dataFolder: string): WiringStep {
  const target = mcpLauncherPath(dataFolder);
  const text = mcpLauncherText(dataFolder);
  return {
    path: target,
    target,
    action: isCurrent(target, text) ? 'keep' : existsSync(target) ? 'change' : 'create',
    perform: () => {
      if (isCurrent(target, text)) return;
      makeFolder(join(dataFolder, 'bin'), MODE);
      writeFileAtomic(target, text, MODE);
      // The umask may have removed bits.
      chmodSync(target, MODE);
    },
  };
}

function isCurrent(path: string, text: string): boolean {
  try {
    return (statSync(path).mode & 0o777) === MODE && readFileSync(path, 'utf8') === text;
  } catch {
    // Safe: an unreadable launcher is written again.
    return false;
  }
}
