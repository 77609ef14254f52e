/**
 * Git settings that run programs, read settings or contents from elsewhere, or weaken git's checks. An agent may change any
 * other setting (names, remotes, upstreams).
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
  // Git LFS, which many use as a filter.
  /^lfs\.(?:customtransfer|extension)\./,
  /^lfs\.(?:.*\.)?standalonetransferagent$/,
  /^(?:fetch\.bundleuri|bundle\..*)$/,
  /^help\.browser$/,
  /^svn(?:-remote\..*)?\.authors(?:prog|file)$/,
  // Git writes to the files that it names.
  /^trace2\./,
  /^fsmonitor\./,
  /^user\.signingkey$/,
  /^gui\./,
];

/** Of these only values that run a program count. */
const RUNS_PROGRAM: readonly (readonly [RegExp, RegExp])[] = [
  [/^alias\./, /^\s*!/],
  [/^remote\..*\.(?:url|pushurl)$/, /^(?:ext|fd)::|^-/i],
  // Makes git read one more file, which is watched like the first; a sparse checkout sets it. Never counts.
  [/^extensions\.worktreeconfig$/, /$^/],
];

/** Takes the key in lower case. */
export function isGitOrder(key: string, value: string): boolean {
  const condition = RUNS_PROGRAM.find(([pattern]) => pattern.test(key));
  return condition ? condition[1].test(value) : ORDERS.some((pattern) => pattern.test(key));
}
