import { HOLE, isKnown } from './words/field.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

/** Decodes escapes as printf and echo -e do: \n, \x2e, \056, \u002e. */
export function decodeEscapes(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|(0?[0-7]{1,3})|(.))/gs,
    (whole, hex, unicode, long, octal, other) => {
      const code = hex ?? unicode ?? long;
      if (code !== undefined) return fromCode(Number.parseInt(code, 16), whole);
      if (octal !== undefined) return fromCode(Number.parseInt(octal, 8) & 0xff, whole);
      return Object.hasOwn(ESCAPES, other) ? (ESCAPES[other] ?? whole) : whole;
    },
  );
}

function fromCode(code: number, otherwise: string): string {
  if (code === 0) return '';
  return code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;
}

/** The output of printf. */
export function formatText(format: string, args: readonly string[]): string {
  const rest = [...args];
  let output = '';
  let rounds = 0;
  do {
    const before = rest.length;
    output += decodeEscapes(format.replaceAll('%%', HOLE + HOLE + HOLE)).replace(
      /%[-+ #0]{0,5}(?:\*|\d{0,9})(?:\.(?:\*|\d{0,9}))?([a-zA-Z])/g,
      (_, kind: string) => {
        const value = rest.shift() ?? '';
        if (kind === 'b') return decodeEscapes(value);
        if (kind === 's') return value;
        if (kind === 'c') return value.slice(0, 1);
        return /^[-+]?\d{1,15}$/.test(value) && 'diu'.includes(kind) ? value : HOLE;
      },
    );
    rounds += 1;
    if (rest.length === before) break;
  } while (rest.length > 0 && rounds < 100 && output.length < 65_536);
  return output.replaceAll(HOLE + HOLE + HOLE, '%');
}

export function decodeBase64(text: string): string {
  if (!isKnown(text)) return HOLE;
  return fromBytes(Buffer.from(text.replace(/\s+/g, ''), 'base64'));
}

/** Decodes hexadecimal digits, ignoring other characters. */
export function decodeHex(text: string): string {
  if (!isKnown(text)) return HOLE;
  return fromBytes(Buffer.from(text.replace(/[^0-9a-fA-F]+/g, ''), 'hex'));
}

function fromBytes(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll(HOLE, '');
}

/** The output of tr for two plain sets, or one to delete; HOLE for anything more complex. */
export function translate(text: string, from: string, to: string | undefined): string {
  if (!isKnown(text) || !isKnown(from) || (to !== undefined && !isKnown(to))) return HOLE;
  const sources = setOf(from);
  const targets = to === undefined ? undefined : setOf(to);
  if (sources === undefined || (to !== undefined && targets === undefined)) return HOLE;
  let made = '';
  for (const char of text) {
    const at = sources.indexOf(char);
    if (at === -1) made += char;
    else if (targets !== undefined) made += targets[Math.min(at, targets.length - 1)] ?? '';
  }
  return made;
}

function setOf(text: string): string[] | undefined {
  const chars = [...decodeEscapes(text)];
  if (text.includes('[:') || chars.length > 300) return undefined;
  const set: string[] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const low = chars[at] ?? '';
    const high = chars[at + 1] === '-' ? chars[at + 2] : undefined;
    if (high === undefined) set.push(low);
    else {
      const [from, to] = [low.codePointAt(0) ?? 0, high.codePointAt(0) ?? 0];
      if (to - from > 300) return undefined;
      for (let code = from; code <= to; code += 1) set.push(String.fromCodePoint(code));
      at += 2;
    }
  }
  return set;
}
