/**
 * Settings by which git runs programs, takes its settings or contents from elsewhere, or trusts less than it should. What
 * is not among them (names, remotes, upstreams) an agent may set as it likes.
 */
const ORDERS: readonly RegExp[] = [
  /^core\.(?:hookspath|fsmonitor|sshcommand|editor|pager|askpass|gitproxy|attributesfile|alternaterefscommand|worktree|excludesfile)$/,
  /^(?:pager|alias|filter|include|includeif|credential|gpg|sequence|browser|man|mergetool|difftool|guitool|trailer|tar|imap|sendemail|web|instaweb|interactive|safe|hook|extensions|maintenance|uploadpack|receive)(?:\.|$)/,
  /^diff(?:\..*)?\.(?:command|textconv|external|tool|guitool)$/,
  /^init\.templatedir$/,
  /^merge(?:\..*)?\.(?:driver|tool|guitool|renormalize)$/,
  /^remote\..*\.(?:uploadpack|receivepack|vcs|proxy)$/,
  /^remote\..*\.(?:url|pushurl)$/,
  /^url\..*\.(?:insteadof|pushinsteadof)$/,
  /^submodule\..*\.update$/,
  /^protocol\.(?:.*\.)?allow$/,
  /^http\.(?:.*\.)?(?:proxy|sslverify|sslcert|sslkey|sslcainfo|sslcapath|pinnedpubkey|proxyssl.*|curloptresolve|cookiefile|extraheader)$/,
  /^ssh\.variant$/,
  /^gc\.recentobjectshook$/,
  // Of git's own extension for large files, which many have as a filter.
  /^lfs\.(?:customtransfer|extension)\./,
  /^lfs\.(?:.*\.)?standalonetransferagent$/,
  /^(?:fetch\.bundleuri|bundle\..*)$/,
  /^help\.browser$/,
  /^svn(?:-remote\..*)?\.authors(?:prog|file)$/,
  // Its values are files that git writes to.
  /^trace2\./,
  /^fsmonitor\./,
  /^user\.signingkey$/,
  /^gui\./,
];

/** Of these only values that run something count. */
const RUNS_PROGRAM: readonly (readonly [RegExp, RegExp])[] = [
  [/^alias\./, /^\s*!/],
  [/^remote\..*\.(?:url|pushurl)$/, /^(?:ext|fd)::|^-/i],
  // It has git read one more file, which is watched like the first; a sparse checkout sets it. No value of it counts.
  [/^extensions\.worktreeconfig$/, /$^/],
];

/** Whether a setting is one, by its key in small letters and its value. */
export function isGitOrder(key: string, value: string): boolean {
  const condition = RUNS_PROGRAM.find(([pattern]) => pattern.test(key));
  return condition ? condition[1].test(value) : ORDERS.some((pattern) => pattern.test(key));
}
