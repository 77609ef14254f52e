import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { isGitOrder } from '../../domain/protection/git-order.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { type GitSetting, readGitConfig } from '../../platform/git/git-config.ts';
import { gitSync } from '../../platform/git/git-sync.ts';

/**
 * The orders in a configuration of git's, each as `key=value`, in the order in which they stand. That of a submodule, known
 * by its path in git's folder, says where its files lie; where that is the place it is named for, it is no order.
 */
export function gitOrders(text: string, path = ''): string[] {
  const settings = readGitConfig(text);
  // Git refuses the whole file; it is then like no other.
  if (!settings) return [`unreadable=${text}`];
  const place = submoduleFolder(path);
  return settings
    .filter(({ key, value }) => isGitOrder(key, value) && !(key === 'core.worktree' && value === place))
    .map(({ key, value }) => `${key}=${value}`);
}

/** Whether two configurations, which lie at a path in git's folder, give the same orders. */
export function sameGitOrders(before: string, after: string, path = ''): boolean {
  return gitOrders(before, path).join('\n') === gitOrders(after, path).join('\n');
}

/** As git writes it when it makes a submodule; undefined for everything else. */
function submoduleFolder(path: string): string | undefined {
  const name = /^modules\/(.+)\/config$/.exec(path)?.[1];
  if (name === undefined || /(?:^|\/)modules\//.test(name)) return undefined;
  // Out of its own folder, out of `modules`, out of `.git`.
  return `${'../'.repeat(name.split('/').length + 2)}${name}`;
}

const GIT_CONFIG = /(?:^|\/)(?:config|config\.worktree|\.gitconfig)$/;

/** A configuration file of git's, whose dangerous keys are judged one by one. */
export function isGitConfig({ kind }: { kind: string }, path: string): boolean {
  return (kind === 'repository' || kind === 'home') && GIT_CONFIG.test(path);
}

/**
 * Sets the dangerous keys of a configuration back to what they were, and leaves everything else in it. Gives why it could
 * not; undefined if it did.
 */
export function resetGitOrders(file: string, before: string, path: string): string | undefined {
  const now = readFileSync(file, 'utf8');
  const [old, found] = [settingsOf(before, path), settingsOf(now, path)];
  // Git refuses the file, so there is nothing in it to keep.
  if (!found || !old) return writeWhole(file, before);
  const changed = [...new Set([...old, ...found].map(({ key }) => key))].filter(
    (key) => valuesOf(old, key).join('\n') !== valuesOf(found, key).join('\n'),
  );
  for (const key of changed) {
    if (valuesOf(found, key).length > 0 && !editConfig(file, ['--unset-all', key]))
      return writeWhole(file, before);
    for (const value of valuesOf(old, key))
      if (!editConfig(file, ['--add', key, value])) return writeWhole(file, before);
  }
  // A file that held nothing else was made for these keys.
  if (before === '' && readGitConfig(readFileSync(file, 'utf8'))?.length === 0) rmSync(file, { force: true });
  return undefined;
}

function settingsOf(text: string, path: string): readonly GitSetting[] | undefined {
  const settings = readGitConfig(text);
  const folder = submoduleFolder(path);
  return settings?.filter(
    ({ key, value }) => isGitOrder(key, value) && !(key === 'core.worktree' && value === folder),
  );
}

function valuesOf(settings: readonly GitSetting[], key: string): string[] {
  return settings.filter((one) => one.key === key).map(({ value }) => value);
}

function editConfig(file: string, words: readonly string[]): boolean {
  return gitSync(dirname(file), ['config', '--file', file, ...words]) !== undefined;
}

function writeWhole(file: string, text: string): string | undefined {
  try {
    writeFileAtomic(file, text, 0o644);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
