/** One member of an object, or one element of an array, as it stands in a text. */
export interface JsonPart {
  /** Undefined in an array. */
  key: string | undefined;
  start: number;
  valueStart: number;
  valueEnd: number;
}

export interface JsonParts {
  /** Where the bracket stands that opens them. */
  open: number;
  /** Where the one stands that closes them. */
  close: number;
  parts: JsonPart[];
}

/** Finds what the text of a JSON object or array is made of. JSON.parse must be able to read the text. */
export function readParts(text: string): JsonParts {
  const open = skipSpace(text, 0);
  const isObject = text[open] === '{';
  const parts: JsonPart[] = [];
  let at = skipSpace(text, open + 1);
  while (at < text.length && !'}]'.includes(text.charAt(at))) {
    const start = at;
    const keyEnd = isObject ? skipString(text, at) : at;
    const valueStart = isObject ? skipSpace(text, skipSpace(text, keyEnd) + 1) : at;
    const valueEnd = skipValue(text, valueStart);
    const key = isObject ? String(JSON.parse(text.slice(start, keyEnd))) : undefined;
    parts.push({ key, start, valueStart, valueEnd });
    at = skipSpace(text, valueEnd);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return { open, close: at, parts };
}

/** The text without one of its parts: what `withPart` added last is taken away to the byte. */
export function withoutPart(text: string, { open, close, parts }: JsonParts, part: JsonPart): string {
  const index = parts.indexOf(part);
  const previous = parts[index - 1];
  if (previous) return text.slice(0, previous.valueEnd) + text.slice(part.valueEnd);
  const next = parts[index + 1];
  if (next) return text.slice(0, part.start) + text.slice(next.start);
  return text.slice(0, open + 1) + text.slice(close);
}

/** The text with one more part at its end. */
export function withPart(text: string, key: string | undefined, value: unknown, layout: JsonLayout): string {
  const { open, close, parts } = readParts(text);
  const name = key === undefined ? '' : `${JSON.stringify(key)}:${layout.space}`;
  const entry = `${layout.before}${name}${layout.write(value)}`;
  const last = parts.at(-1);
  if (last) return `${text.slice(0, last.valueEnd)},${entry}${text.slice(last.valueEnd)}`;
  return `${text.slice(0, open + 1)}${entry}${layout.end}${text.slice(close)}`;
}

export interface JsonLayout {
  /** What stands before a part. */
  before: string;
  /** What stands after the last one. */
  end: string;
  /** What stands between a name and its value. */
  space: string;
  /** What further levels are indented by. */
  step: string;
  write(value: unknown): string;
}

/** How the parts are laid out: by what stands before the first, or, where there is none, a line each, one step further in. */
export function layoutOf(text: string, { open, parts: [first] }: JsonParts, step = ''): JsonLayout {
  const gap = first ? text.slice(open + 1, first.start) : `\n${step || '  '}`;
  const line = text.includes('\r\n') ? '\r\n' : '\n';
  const multiline = gap.includes('\n');
  const indent = multiline ? gap.slice(gap.lastIndexOf('\n') + 1) || '  ' : '';
  const unit = multiline ? step || indent : '';
  return {
    before: multiline ? `${line}${indent}` : first && gap === '' ? '' : ' ',
    end: multiline ? line : '',
    space: multiline || gap !== '' ? ' ' : '',
    step: unit,
    write: (value) => JSON.stringify(value, null, unit).replaceAll('\n', multiline ? `${line}${indent}` : ''),
  };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1;
  return at;
}

function skipString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function skipValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '"') {
      at = skipString(text, at);
    } else {
      if (depth === 0 && ',}] \t\r\n'.includes(character)) return at;
      if ('{['.includes(character)) depth += 1;
      if ('}]'.includes(character)) depth -= 1;
      at += 1;
    }
    if (depth === 0 && '"}]'.includes(text.charAt(at - 1))) return at;
  }
  return at;
}
