import { readGitConfig } from '../../platform/git-config.ts';

/**
 * Settings by which git runs programs, takes its settings or contents from elsewhere, or trusts less than it should. What
 * is not among them (names, remotes, upstreams) an agent may set as it likes.
 */
const ORDERS: readonly RegExp[] = [
  /^core\.(?:hookspath|fsmonitor|sshcommand|editor|pager|askpass|gitproxy|attributesfile|alternaterefscommand|worktree|excludesfile)$/,
  /^(?:pager|alias|filter|include|includeif|credential|init|gpg|sequence|browser|man|mergetool|difftool|guitool|trailer|tar|imap|sendemail|web|instaweb|interactive|safe|hook|extensions|maintenance|uploadpack|receive)(?:\.|$)/,
  /^diff(?:\..*)?\.(?:command|textconv|external|tool|guitool)$/,
  /^diff\.external$/,
  /^merge(?:\..*)?\.(?:driver|tool|guitool|renormalize)$/,
  /^remote\..*\.(?:uploadpack|receivepack|vcs|proxy)$/,
  /^remote\..*\.(?:url|pushurl)$/,
  /^url\..*\.(?:insteadof|pushinsteadof)$/,
  /^submodule\..*\.update$/,
  /^protocol\.(?:.*\.)?allow$/,
  /^http\.(?:.*\.)?(?:proxy|sslverify|sslcert|sslkey|cookiefile|extraheader)$/,
  /^ssh\.variant$/,
  /^user\.signingkey$/,
  /^gui\./,
  /^guitool\./,
];

/** Of these only values that run something count. */
const RUNS_PROGRAM: readonly (readonly [RegExp, RegExp])[] = [
  [/^alias\./, /^\s*!/],
  [/^remote\..*\.(?:url|pushurl)$/, /^(?:ext|fd)::|^-/i],
];

/** The orders in a configuration of git's, each as `key=value`, in the order in which they stand. */
export function gitOrders(text: string): string[] {
  const settings = readGitConfig(text);
  // Git refuses the whole file; it is then like no other.
  if (!settings) return [`unreadable=${text}`];
  return settings.filter(({ key, value }) => isOrder(key, value)).map(({ key, value }) => `${key}=${value}`);
}

/** Whether two configurations give the same orders. */
export function sameGitOrders(before: string, after: string): boolean {
  return gitOrders(before).join('\n') === gitOrders(after).join('\n');
}

function isOrder(key: string, value: string): boolean {
  const condition = RUNS_PROGRAM.find(([pattern]) => pattern.test(key));
  return condition ? condition[1].test(value) : ORDERS.some((pattern) => pattern.test(key));
}
