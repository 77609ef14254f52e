import { isSecretValue, type ValueForm } from './looks-secret.ts';
import { maskMarkers, secretMarker } from './secret-marker.ts';
import { NAME_STEM, type SecretName, secretNamed } from './secret-name.ts';

const STEM = new RegExp(NAME_STEM, 'gi');
const NAME_BEFORE = 80;
const NAME_AFTER = 60;
/** The part of a value that is judged; a longer secret is scrubbed to its end. */
const WINDOW = 160;
const QUOTED_WINDOW = 8192;

/** `api key`, `secret access key`: names in prose have spaces. */
const PROSE_NAME =
  /(?:^|[^A-Za-z0-9_])((?:api|access|secret|private|account|auth|client|bearer|refresh|personal|master|signing|encryption|service|webhook|shared|deploy|secret access|personal access) )$/i;

/**
 * Separators between a name and its value: `"]`, then `=`, `:`, `:=`, `=>`, `==`, a type in between, `||`, `>` of an
 * XML element, `, value:` of a list of variables, `is`, or the blank after a flag.
 */
const SEPARATOR =
  /(?<close>\\{0,8}["'`])?\]?(?:[ \t]{0,20}(?<op>:[ \t]{0,4}(?:&?str|[sS]tring|SecretStr|char)\??[ \t]{0,4}=|(?<listed>,?[ \t\r\n]{0,60}\\{0,8}["']?(?:parameter)?value\\{0,8}["']?[ \t]{0,4}[:=])|[!=]={1,2}|:=|=>|:-|\|\||\?\?|[:=,]|>)[ \t]{0,20}(?<block>[|>][+-]?\r?\n[ \t]{1,20})?|(?<is>[ \t]{1,4}(?:is|was)[ \t:]{1,4})|(?<blank>[ \t]{1,4}))/iy;

/** Whether a separator may follow. Most words in prose fail this cheap check. */
const MAYBE_SEPARATOR = /[ \t]{0,20}(?:[:=!|?,>"'`\\\]\r\n]|(?:is|was|value|parameter))/iy;

const QUOTE = /[brufBRUF@$]{0,2}(\\{0,8}["'`])/y;
const UNQUOTED = /[^\s"'`<>]{1,160}/y;
const UNQUOTED_REST = /[^\s"'`<>]*/y;
/** Ends an unquoted value without a blank: the next of several pairs, a closing bracket, `\n`. */
const VALUE_END = /\\[nrt"'\\]|[;,&|][\w.-]{0,40}[=:]|&(?:&|quot;|lt;|gt;|#)|[)\]}](?=[.,;:)\]}|]|$)/;

interface FoundSecret {
  start: number;
  end: number;
  kind: string;
}

/** Scrubs named values: assignments, JSON and YAML pairs, headers, flags, XML elements. */
export function scrubNamedSecrets(text: string): string {
  let result = '';
  let done = 0;
  STEM.lastIndex = 0;
  for (let stem = STEM.exec(text); stem; stem = STEM.exec(text)) {
    const start = nameStart(text, stem.index, done);
    const end = nameEnd(text, STEM.lastIndex);
    STEM.lastIndex = end;
    const found = secretAfter(text, start, end);
    if (!found) continue;
    result += text.slice(done, found.start) + secretMarker(found.kind);
    done = found.end;
    STEM.lastIndex = found.end;
  }
  return done === 0 ? text : result + text.slice(done);
}

export function kindOfNamed(name: SecretName): string {
  return name === 'password' || name === 'guess' ? 'password' : 'secret';
}

function secretAfter(text: string, start: number, end: number): FoundSecret | undefined {
  MAYBE_SEPARATOR.lastIndex = end;
  const isFlag = text[start] === '-';
  if (!isFlag && !MAYBE_SEPARATOR.test(text)) return undefined;
  const name = text.slice(start, end);
  const fullName = withProseName(text, start, name);
  // By far the most frequent words that do not name a secret.
  if (fullName.toLowerCase() === 'key') return undefined;
  SEPARATOR.lastIndex = end;
  const separator = SEPARATOR.exec(text);
  if (!separator) return undefined;
  const groups = separator.groups ?? {};
  if (groups.blank !== undefined && (!isFlag || groups.close !== undefined)) return undefined;
  if (groups.op === ',' && groups.close === undefined) return undefined;
  const isElement = groups.op === '>';
  if (isElement && text[start - 1] !== '<') return undefined;
  const named = secretNamed(fullName);
  if (!named) return undefined;
  const kind = kindOfNamed(named);

  const at = SEPARATOR.lastIndex;
  if (groups.blank !== undefined && text[at] === '-') return undefined;
  const quoted = isElement ? undefined : quotedValue(text, at);
  if (quoted) {
    const value = text.slice(quoted.start, quoted.end);
    // A list of field names, `['password', 'token']`, looks like the arguments of `set('password', '…')`.
    const form = groups.op === ',' ? 'plain' : 'quoted';
    return isSecretValue(named, form, value) ? { ...quoted, kind } : undefined;
  }
  if (groups.op === ',' || groups.op === '||' || groups.op === '??') return undefined;
  UNQUOTED.lastIndex = text[at] === '"' || text[at] === "'" || text[at] === '`' ? at + 1 : at;
  const run = UNQUOTED.exec(text)?.[0];
  if (run === undefined) return undefined;
  const valueStart = UNQUOTED.lastIndex - run.length;
  const value = isElement ? run : withoutTail(run);
  let valueEnd = valueStart + value.length;
  if (isElement && !text.startsWith('</', valueEnd)) return undefined;
  const form = isElement ? 'quoted' : unquotedForm(text, { start, name, separator: separator[0], valueEnd });
  if (!isSecretValue(named, form, value)) return undefined;
  if (value.length === WINDOW) {
    UNQUOTED_REST.lastIndex = valueEnd;
    valueEnd += UNQUOTED_REST.exec(text)?.[0].length ?? 0;
  }
  return { start: valueStart, end: valueEnd, kind };
}

function withoutTail(run: string): string {
  const masked = maskMarkers(run);
  const cut = masked.search(VALUE_END);
  let end = cut < 0 ? run.length : cut;
  while (end > 0 && ',;.)]}'.includes(masked.charAt(end - 1))) end -= 1;
  return run.slice(0, end);
}

function nameStart(text: string, from: number, done: number): number {
  const limit = Math.max(done, from - NAME_BEFORE);
  let start = from;
  while (start > limit && isNameCharacter(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

function nameEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + NAME_AFTER);
  let end = from;
  while (end < limit && isNameCharacter(text.charCodeAt(end))) end += 1;
  // `password:-x` is a default in a shell, and a full stop ends a sentence.
  while (end > from && (text[end - 1] === '.' || text[end - 1] === '-')) end -= 1;
  return end;
}

function isNameCharacter(code: number): boolean {
  const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return isLetter || (code >= 48 && code <= 57) || code === 95 || code === 45 || code === 46;
}

function withProseName(text: string, start: number, name: string): string {
  if (text[start - 1] !== ' ') return name;
  const words = PROSE_NAME.exec(text.slice(Math.max(0, start - 32), start));
  return words ? `${words[1]}${name}` : name;
}

function quotedValue(text: string, at: number): { start: number; end: number } | undefined {
  QUOTE.lastIndex = at;
  const open = QUOTE.exec(text)?.[1];
  if (open === undefined) return undefined;
  const start = QUOTE.lastIndex;
  const quote = open.slice(-1);
  const level = open.length - 1;
  const limit = start + QUOTED_WINDOW;
  for (let end = text.indexOf(quote, start); end >= 0 && end < limit; end = text.indexOf(quote, end + 1)) {
    let backslashes = 0;
    while (backslashes < end - start && text[end - 1 - backslashes] === '\\') backslashes += 1;
    const closes = level === 0 ? backslashes % 2 === 0 : backslashes <= level;
    if (!closes) continue;
    const value = { start, end: end - Math.min(backslashes, level) };
    return text.slice(value.start, value.end).includes('\n') ? undefined : value;
  }
  return undefined;
}

interface UnquotedValue {
  start: number;
  name: string;
  separator: string;
  valueEnd: number;
}

function unquotedForm(text: string, { start, name, separator, valueEnd }: UnquotedValue): ValueForm {
  const before = text[start - 1];
  const isConstant = /^n?[A-Z][A-Z0-9_]*$/.test(name);
  if (separator === '=' || separator === ':-') {
    const startsLine =
      before === undefined || before === '\n' || before === ';' || before === '?' || before === '&';
    return isConstant || startsLine || name.startsWith('-') ? 'literal' : 'plain';
  }
  // `POSTGRES_PASSWORD: postgres`, and nothing after it that would make it a sentence.
  const isYaml =
    isConstant &&
    separator.startsWith(':') &&
    /^[ \t]*(?:#|\r?\n|\\n|$)/.test(text.slice(valueEnd, valueEnd + 8));
  return isYaml ? 'literal' : 'plain';
}
