import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { isGitOrder } from '../../domain/protection/dangerous-git-setting.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { type GitSetting, readGitConfig } from '../../platform/git/git-config.ts';
import { gitSync } from '../../platform/git/git-sync.ts';

/**
 * The settings of a git configuration that make git run something, each as `key=value`, in file order. In a submodule's
 * configuration, `core.worktree` with its default value does not count.
 */
export function effectiveGitSettings(text: string, path = ''): string[] {
  const settings = readGitConfig(text);
  // Git rejects the whole file, so it equals no other.
  if (!settings) return [`unreadable=${text}`];
  const place = submoduleFolder(path);
  return settings
    .filter(({ key, value }) => isGitOrder(key, value) && !(key === 'core.worktree' && value === place))
    .map(({ key, value }) => `${key}=${value}`);
}

/** Whether two versions of a configuration make git run the same things. */
export function sameEffectiveSettings(before: string, after: string, path = ''): boolean {
  return effectiveGitSettings(before, path).join('\n') === effectiveGitSettings(after, path).join('\n');
}

/** The default `core.worktree` of a submodule; undefined for any other file. */
function submoduleFolder(path: string): string | undefined {
  const name = /^modules\/(.+)\/config$/.exec(path)?.[1];
  if (name === undefined || /(?:^|\/)modules\//.test(name)) return undefined;
  // Up from its own folder, from `modules` and from `.git`.
  return `${'../'.repeat(name.split('/').length + 2)}${name}`;
}

const GIT_CONFIG = /(?:^|\/)(?:config|config\.worktree|\.gitconfig)$/;

/** A git configuration file, whose dangerous keys are judged one by one. */
export function isGitConfig({ kind }: { kind: string }, path: string): boolean {
  return (kind === 'repository' || kind === 'home') && GIT_CONFIG.test(path);
}

/**
 * Restores the dangerous keys of a configuration and leaves everything else. Returns the reason if it failed, else
 * undefined.
 */
export function restoreGitSettings(file: string, before: string, path: string): string | undefined {
  const now = readFileSync(file, 'utf8');
  const [old, found] = [settingsOf(before, path), settingsOf(now, path)];
  // Git rejects the file, so nothing in it is worth keeping.
  if (!found || !old) return writeWhole(file, before);
  for (const key of changedKeys(old, found)) {
    if (valuesOf(found, key).length > 0 && !editConfig(file, ['--unset-all', key]))
      return writeWhole(file, before);
    for (const value of valuesOf(old, key))
      if (!editConfig(file, ['--add', key, value])) return writeWhole(file, before);
  }
  // An otherwise empty file was created for these keys.
  if (before === '' && readGitConfig(readFileSync(file, 'utf8'))?.length === 0) rmSync(file, { force: true });
  return undefined;
}

/** The dangerous keys that differ between two versions; none if git rejects one of them. */
export function changedGitKeys(before: string, after: string, path: string): string[] {
  const [old, now] = [settingsOf(before, path), settingsOf(after, path)];
  return old && now ? changedKeys(old, now) : [];
}

function changedKeys(old: readonly GitSetting[], now: readonly GitSetting[]): string[] {
  return [...new Set([...old, ...now].map(({ key }) => key))].filter(
    (key) => valuesOf(old, key).join('\n') !== valuesOf(now, key).join('\n'),
  );
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
