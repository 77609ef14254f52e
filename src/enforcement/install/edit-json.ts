import { isObject } from '../../domain/json/plain-shape.ts';

/**
 * Sets one member of a JSON object in its text, or removes it (undefined), and leaves every other byte unchanged: a person's
 * file keeps its layout, number formats and key order, also inside the member where old and new value agree. The text must
 * be a valid JSON object. Returns undefined if the name occurs twice.
 */
export function editMember(text: string, name: string, value: unknown, step?: string): string | undefined {
  const found = readParts(text);
  const [member, ...more] = found.parts.filter(({ key }) => key === name);
  if (more.length > 0) return undefined;
  const layout = layoutOf(text, found, step);
  if (value === undefined) return member ? withoutPart(text, found, member) : text;
  if (!member) return withPart(text, name, value, layout);
  const before = text.slice(member.valueStart, member.valueEnd);
  const after = editValue(before, value, layout.step) ?? layout.write(value);
  return text.slice(0, member.valueStart) + after + text.slice(member.valueEnd);
}

/** The same for a member of a nested object. */
export function editNestedMember(
  text: string,
  outer: string,
  name: string,
  value: unknown,
): string | undefined {
  const [member, ...more] = readParts(text).parts.filter(({ key }) => key === outer);
  if (!member || more.length > 0) return undefined;
  const { valueStart, valueEnd } = member;
  const edited = editMember(text.slice(valueStart, valueEnd), name, value);
  return edited === undefined ? undefined : text.slice(0, valueStart) + edited + text.slice(valueEnd);
}

/** Undefined if nothing of the old value can be kept, or a name is ambiguous. */
function editValue(text: string, value: unknown, step: string): string | undefined {
  const before: unknown = JSON.parse(text);
  if (same(before, value)) return text;
  if (Array.isArray(before) && Array.isArray(value)) return editElements(text, value, step);
  if (!isObject(before) || !isObject(value)) return undefined;
  if (!Object.keys(before).some((name) => Object.hasOwn(value, name))) return undefined;
  let edited: string | undefined = text;
  for (const name of new Set([...Object.keys(before), ...Object.keys(value)])) {
    if (edited === undefined) return undefined;
    edited = editMember(edited, name, Object.hasOwn(value, name) ? value[name] : undefined, step);
  }
  return edited;
}

/** Keeps elements that are in both in the same order, removes the other old ones and appends the new ones. */
function editElements(text: string, value: readonly unknown[], step: string): string | undefined {
  const found = readParts(text);
  let kept = 0;
  const gone = found.parts.map(({ valueStart, valueEnd }) => {
    const stays = kept < value.length && same(JSON.parse(text.slice(valueStart, valueEnd)), value[kept]);
    if (stays) kept += 1;
    return !stays;
  });
  if (kept === 0) return undefined;
  const layout = layoutOf(text, found, step);
  let edited = text;
  for (let index = gone.length - 1; index >= 0; index--) {
    const now = readParts(edited);
    const part = now.parts[index];
    if (gone[index] && part) edited = withoutPart(edited, now, part);
  }
  for (const one of value.slice(kept)) edited = withPart(edited, undefined, one, layout);
  return edited;
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The position of an object member or array element in a text. */
interface JsonPart {
  /** Undefined in an array. */
  key: string | undefined;
  start: number;
  valueStart: number;
  valueEnd: number;
}

interface JsonParts {
  /** Index of the opening bracket. */
  open: number;
  /** Index of the closing bracket. */
  close: number;
  parts: JsonPart[];
}

/** Finds the parts of a JSON object or array. The text must be valid JSON. */
function readParts(text: string): JsonParts {
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

/** The text without one of its parts; the exact inverse of `withPart`. */
function withoutPart(text: string, { open, close, parts }: JsonParts, part: JsonPart): string {
  const index = parts.indexOf(part);
  const previous = parts[index - 1];
  if (previous) return text.slice(0, previous.valueEnd) + text.slice(part.valueEnd);
  const next = parts[index + 1];
  if (next) return text.slice(0, part.start) + text.slice(next.start);
  return text.slice(0, open + 1) + text.slice(close);
}

/** The text with one more part at the end. */
function withPart(text: string, key: string | undefined, value: unknown, layout: JsonLayout): string {
  const { open, close, parts } = readParts(text);
  const name = key === undefined ? '' : `${JSON.stringify(key)}:${layout.space}`;
  const entry = `${layout.before}${name}${layout.write(value)}`;
  const last = parts.at(-1);
  if (last) return `${text.slice(0, last.valueEnd)},${entry}${text.slice(last.valueEnd)}`;
  return `${text.slice(0, open + 1)}${entry}${layout.end}${text.slice(close)}`;
}

interface JsonLayout {
  /** Text before each part. */
  before: string;
  /** Text after the last part. */
  end: string;
  /** Text between a name's colon and its value. */
  space: string;
  /** Indentation per level. */
  step: string;
  write(value: unknown): string;
}

/** The layout of the parts, taken from the first one; without parts, one per line and indented. */
function layoutOf(text: string, { open, parts: [first] }: JsonParts, step = ''): JsonLayout {
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
