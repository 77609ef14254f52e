import { isGitOrder } from '../../domain/git-order.ts';
import { readGitConfig } from '../../platform/git-config.ts';

/** The orders in a configuration of git's, each as `key=value`, in the order in which they stand. */
export function gitOrders(text: string): string[] {
  const settings = readGitConfig(text);
  // Git refuses the whole file; it is then like no other.
  if (!settings) return [`unreadable=${text}`];
  return settings
    .filter(({ key, value }) => isGitOrder(key, value))
    .map(({ key, value }) => `${key}=${value}`);
}

/** Whether two configurations give the same orders. */
export function sameGitOrders(before: string, after: string): boolean {
  return gitOrders(before).join('\n') === gitOrders(after).join('\n');
}
