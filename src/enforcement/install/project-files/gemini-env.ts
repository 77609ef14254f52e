import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GitFolder } from '../../../platform/git/git-folder.ts';
import { isProgram } from '../../../platform/processes/find-program.ts';
import { shellFolder } from '../../shell/shell-folder.ts';
import type { WiringStep } from '../settings-file.ts';
import { realFolder } from '../wire-shell.ts';
import { blockIn, editTextStep, FileFault, readText, type TomlBlock, withBlock } from './edit-text-step.ts';

/** Variables for Gemini CLI in a trusted project. It reads only the nearest of all such files. */
export const GEMINI_ENV = '.gemini/.env';

const BLOCK: TomlBlock = { name: 'sandbox', at: 'end' };

/**
 * The file that gives Gemini CLI the variable BASH_ENV, by which its commands start in GuardKit's wrapper. Its own policies,
 * questions and hooks see the original command.
 */
export function geminiEnvStep(root: string, bashEnv: string): WiringStep {
  return editTextStep(root, GEMINI_ENV, (text = '') => withBlock(text, BLOCK, linesOf(bashEnv)));
}

export function geminiEnvRemoval(root: string): WiringStep[] {
  try {
    const step = editTextStep(root, GEMINI_ENV, (text = '') => withBlock(text, BLOCK, undefined));
    return step.action === 'keep' ? [] : [step];
  } catch (error) {
    // Safe: without a readable file there is nothing to remove.
    if (error instanceof FileFault) return [];
    throw error;
  }
}

/** Another file with variables that Gemini CLI would no longer read; undefined if GuardKit's file hides none. */
export function hiddenEnvFile(root: string, home: string): string | undefined {
  if (existsSync(join(root, GEMINI_ENV)) && !isOnlyOurs(root)) return undefined;
  const folders = [root];
  while (dirname(folders.at(-1) ?? '/') !== folders.at(-1)) folders.push(dirname(folders.at(-1) ?? '/'));
  return [...folders, home]
    .flatMap((folder) => [...(folder === root ? [] : [join(folder, GEMINI_ENV)]), join(folder, '.env')])
    .find((path) => existsSync(path));
}

function isOnlyOurs(root: string): boolean {
  return withBlock(readText(join(root, GEMINI_ENV)).text ?? '', BLOCK, undefined) === '';
}

export function geminiIsWrapped(checkout: string, git: GitFolder, dataFolder: string): boolean {
  const { launcher, bashEnv } = shellFolder(realFolder(dataFolder), git);
  try {
    const lines = blockIn(readText(join(checkout, GEMINI_ENV)).text ?? '', BLOCK);
    return lines?.join('\n') === linesOf(bashEnv).join('\n') && isProgram(launcher) && existsSync(bashEnv);
  } catch (error) {
    if (error instanceof FileFault) return false;
    throw error;
  }
}

function linesOf(bashEnv: string): string[] {
  return [`BASH_ENV='${bashEnv}'`];
}
