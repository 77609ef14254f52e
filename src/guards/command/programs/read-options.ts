import { type Field, HOLE } from '../words/field.ts';

/** Which options of a program take a value; all others are flags. */
export interface OptionShape {
  /** Letters whose value is the rest of the word, otherwise the next word. */
  short?: string;
  /** Letters whose value must be the rest of the word. */
  attached?: string;
  /** Long names, without dashes, whose value is after `=` or the next word. */
  long?: readonly string[];
  /** Long names that are flags or take a value only after `=`; listed to resolve abbreviations. */
  flags?: readonly string[];
  /** The first operand ends the options; the rest belongs to another program. */
  stops?: boolean;
  /** Long names may start with one dash. */
  singleDash?: boolean;
}

export interface ReadOptions {
  operands: Field[];
  has(...names: string[]): boolean;
  values(...names: string[]): Field[];
  value(...names: string[]): Field | undefined;
}

/** Parses a program's arguments as getopt does. */
export function readOptions(args: readonly Field[], shape: OptionShape = {}): ReadOptions {
  const found = new Map<string, Field[]>();
  const operands: Field[] = [];
  const add = (name: string, value?: Field) => {
    const list = found.get(name) ?? [];
    if (value !== undefined) list.push(value);
    found.set(name, list);
  };
  for (let at = 0; at < args.length; at += 1) {
    const field = args[at] ?? { text: '', glob: false };
    const { text } = field;
    if (text === '--') {
      operands.push(...args.slice(at + 1));
      break;
    }
    const isLong = text.startsWith('--') || (shape.singleDash === true && /^-[^-]{2}/.test(text));
    if (isLong && !text.startsWith(HOLE)) {
      const body = text.replace(/^--?/, '');
      const equals = body.indexOf('=');
      const name = longName(equals === -1 ? body : body.slice(0, equals), shape);
      if (equals !== -1) add(name, { text: body.slice(equals + 1), glob: field.glob });
      else if (shape.long?.includes(name) === true) add(name, args[++at]);
      else add(name);
    } else if (text.startsWith('-') && text.length > 1) at += readShort(field, args[at + 1], shape, add);
    else {
      if (shape.stops === true) {
        operands.push(...args.slice(at));
        break;
      }
      operands.push(field);
    }
  }
  return {
    operands,
    has: (...names) => names.some((name) => found.has(name)),
    values: (...names) => names.flatMap((name) => found.get(name) ?? []),
    value: (...names) => names.flatMap((name) => found.get(name) ?? [])[0],
  };
}

/** Reads a word of short options; returns how many further words it consumed. */
function readShort(
  { text, glob }: Field,
  next: Field | undefined,
  shape: OptionShape,
  add: (name: string, value?: Field) => void,
): number {
  for (let at = 1; at < text.length; at += 1) {
    const letter = text[at] ?? '';
    const rest = text.slice(at + 1);
    if (shape.short?.includes(letter) === true) {
      add(letter, rest === '' ? next : { text: rest, glob });
      return rest === '' ? 1 : 0;
    }
    if (shape.attached?.includes(letter) === true) {
      add(letter, { text: rest, glob });
      return 0;
    }
    add(letter);
  }
  return 0;
}

/** Resolves an abbreviated long name, if unambiguous. */
function longName(name: string, { long = [], flags = [] }: OptionShape): string {
  if (long.includes(name) || flags.includes(name)) return name;
  const fitting = [...long, ...flags].filter((known) => known.startsWith(name));
  return fitting.length === 1 ? (fitting[0] ?? name) : name;
}
