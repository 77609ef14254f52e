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
  [/^alias\./, /^\s*"?!/],
  [/^remote\..*\.(?:url|pushurl)$/, /^(?:ext|fd)::|^-/i],
];

const MAX_LINES = 20_000;

/** The orders in a configuration of git's, each as `key=value`, in the order in which they stand. */
export function gitOrders(text: string): string[] {
  const orders: string[] = [];
  let section = '';
  for (const line of logicalLines(text)) {
    const header = readHeader(line);
    if (header) section = header.section;
    const setting = readSetting(header ? header.rest : line);
    if (!setting || section === '') continue;
    const key = `${section}.${setting.name}`;
    if (isOrder(key, setting.value)) orders.push(`${key}=${setting.value}`);
  }
  return orders;
}

/** Whether two configurations give the same orders. */
export function sameGitOrders(before: string, after: string): boolean {
  return gitOrders(before).join('\n') === gitOrders(after).join('\n');
}

function isOrder(key: string, value: string): boolean {
  const condition = RUNS_PROGRAM.find(([pattern]) => pattern.test(key));
  return condition ? condition[1].test(value) : ORDERS.some((pattern) => pattern.test(key));
}

/** A backslash at the end of a line goes on with the next. */
function logicalLines(text: string): string[] {
  const joined: string[] = [];
  let open = '';
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/, MAX_LINES)) {
    if (endsOpen(line)) open += line.slice(0, -1);
    else {
      joined.push(open + line);
      open = '';
    }
  }
  return open === '' ? joined : [...joined, open];
}

function endsOpen(line: string): boolean {
  let count = 0;
  while (line[line.length - 1 - count] === '\\') count += 1;
  return count % 2 === 1;
}

/** `[section "sub"]` or `[section.sub]`; more may follow on the same line. */
function readHeader(line: string): { section: string; rest: string } | undefined {
  const start = line.length - line.trimStart().length;
  if (line[start] !== '[') return undefined;
  let at = start + 1;
  while (at < line.length && line[at] !== ']' && line[at] !== '"') at += 1;
  const section = line
    .slice(start + 1, at)
    .trim()
    .toLowerCase();
  if (line[at] !== '"') return { section, rest: line.slice(at + 1) };
  let sub = '';
  for (at += 1; at < line.length && line[at] !== '"'; at += 1) {
    if (line[at] === '\\') at += 1;
    sub += line[at] ?? '';
  }
  const end = line.indexOf(']', at);
  // One that does not end is nothing that git reads; the whole file then is none.
  return { section: `${section}.${sub}`, rest: end < 0 ? '' : line.slice(end + 1) };
}

function readSetting(line: string): { name: string; value: string } | undefined {
  const text = line.trim();
  if (text === '' || text.startsWith('#') || text.startsWith(';')) return undefined;
  const equals = text.indexOf('=');
  const name = (equals < 0 ? text : text.slice(0, equals)).trim().toLowerCase();
  if (!/^[a-z][a-z0-9-]*$/.test(name)) return undefined;
  // A name without a value switches on.
  return { name, value: equals < 0 ? 'true' : text.slice(equals + 1).trim() };
}
