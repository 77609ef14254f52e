import { type CodeToken, type Language, tokenizeCode } from './tokenize-code.ts';

/** Calls that read the file they are given, or treat it as text. */
const READS = new Set(
  `readFileSync readFile readTextFile readTextFileSync read_text read_bytes load safe_load loads require exists existsSync
  isfile isdir is_file is_dir statSync lstatSync stat lstat getsize readdirSync listdir scandir access accessSync print log
  error warn info debug includes startsWith startswith endsWith endswith replace replaceAll sub subn match matchAll test
  search findall finditer split count indexOf find index expect toBe toEqual toContain describe it assert createReadStream
  read_csv basename dirname relative relpath compile fullmatch`.split(/\s+/),
);
/** Read-only members of path objects. */
const READS_OF_PATH =
  /^(?:read_text|read_bytes|exists|is_file|is_dir|stat|glob|rglob|iterdir|name|stem|suffix|resolve)$/;
const STARTS =
  /^(?:system|popen\w*|exec\w*|spawn\w*|fork|run|call|check_call|check_output|getoutput|Popen|subprocess|child_process|eval|Function|fromCharCode|__import__)$/i;
const MAX_BACK = 400;

/** Whether code uses these strings only to read files, to compare, or as text. */
export function onlyReadsNamed(
  code: string,
  language: Language,
  isNamed: (text: string) => boolean,
): boolean {
  if (language !== 'python' && language !== 'javascript') return false;
  const tokens = tokenizeCode(code, language);
  const starts = tokens.some((token) => token.type === 'name' && STARTS.test(token.text));
  return tokens.every((token, at) => {
    if (token.type === 'command') return false;
    if (token.type !== 'string' || !isNamed(token.text)) return true;
    return isReadingPosition(tokens, at) || (!starts && /\s/.test(token.text));
  });
}

/** Whether the string at this position is only read, compared or searched for. */
export function isReadingPosition(tokens: readonly CodeToken[], at: number): boolean {
  const before = tokens[at - 1];
  const prefixed = before?.type === 'name' && /^[rbfuRBFU]{1,2}$/.test(before.text);
  const start = prefixed ? at - 1 : at;
  const left = tokens[start - 1];
  const compared = isMark(left, '=') && (isMark(tokens[start - 2], '=') || isMark(tokens[start - 2], '!'));
  if (compared || isName(tokens[at + 1], 'in')) return true;
  const open = openingOf(tokens, start);
  if (open === undefined) return false;
  const callee = tokens[open - 1];
  if (callee?.type !== 'name') return false;
  if (callee.text === 'open') return opensToRead(tokens, open);
  if (callee.text === 'Path') {
    const field = isMark(tokens[at + 1], ')') && isMark(tokens[at + 2], '.') ? tokens[at + 3] : undefined;
    return field?.type === 'name' && READS_OF_PATH.test(field.text);
  }
  const module = isMark(tokens[open - 2], '.') ? tokens[open - 3] : undefined;
  // `file.write` takes a text, `File.write` a path.
  if (callee.text === 'write' && module !== undefined)
    return !(module.type === 'name' && /^(?:File|IO|Bun|Deno|fs\w*|Pathname)$/.test(module.text));
  if (!READS.has(callee.text)) return false;
  // `os.replace` moves a file, `text.replace` returns a text.
  return !(callee.text === 'replace' && (isName(module, 'os') || isName(module, 'shutil')));
}

/** The opening bracket of the enclosing call. */
function openingOf(tokens: readonly CodeToken[], from: number): number | undefined {
  let depth = 0;
  for (let at = from - 1; at >= 0 && at > from - MAX_BACK; at -= 1) {
    const token = tokens[at];
    if (token?.type !== 'mark') continue;
    if (token.text === ')' || token.text === ']' || token.text === '}') depth += 1;
    else if (token.text === '(' && depth === 0) return at;
    else if (token.text === '(' || token.text === '[' || token.text === '{') {
      if (depth === 0) return undefined;
      depth -= 1;
    } else if (depth === 0 && (token.text === ';' || token.text === '=')) return undefined;
  }
  return undefined;
}

function opensToRead(tokens: readonly CodeToken[], open: number): boolean {
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (isMark(token, '(')) depth += 1;
    if (isMark(token, ')')) {
      depth -= 1;
      if (depth === 0) return true;
    }
    if (depth !== 1 || !isMark(token, ',')) continue;
    const next = tokens[at + 1];
    const value = next?.type === 'name' && next.text === 'mode' ? tokens[at + 3] : next;
    const plain = next?.type === 'name' && /^(?:encoding|errors|newline|buffering)$/.test(next.text);
    if (!plain && !(value?.type === 'string' && /^[rbtU]{1,3}$/.test(value.text))) return false;
  }
  return false;
}

function isMark(token: CodeToken | undefined, text: string): boolean {
  return token?.type === 'mark' && token.text === text;
}

function isName(token: CodeToken | undefined, text: string): boolean {
  return token?.type === 'name' && token.text === text;
}
