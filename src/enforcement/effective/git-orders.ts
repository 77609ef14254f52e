import { isGitOrder } from '../../domain/git-order.ts';
import { readGitConfig } from '../../platform/git-config.ts';

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
