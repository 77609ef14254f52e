import { levelOf } from './read-lines.ts';

export const GROUPINGS = ['message', 'level', 'hour', 'minute'] as const;

export type Grouping = (typeof GROUPINGS)[number];

export interface LineGroup {
  key: string;
  count: number;
  /** The last line of it. */
  last: number;
}

const MAX_GROUPS = 5000;
const MAX_KEY = 160;
const OTHERS = '(others)';

/** Counts similar lines, with bounded memory. */
export class LineGroups {
  readonly #keyOf: (line: string) => string;
  readonly #groups = new Map<string, LineGroup>();

  constructor(by: Grouping) {
    this.#keyOf = KEYS[by];
  }

  add(line: string, number: number): void {
    const own = this.#keyOf(line);
    const key = this.#groups.has(own) || this.#groups.size < MAX_GROUPS ? own : OTHERS;
    const group = this.#groups.get(key);
    if (group) {
      group.count += 1;
      group.last = number;
    } else {
      this.#groups.set(key, { key, count: 1, last: number });
    }
  }

  get size(): number {
    return this.#groups.size;
  }

  /** Most frequent first; groups by time in their order. */
  sorted(by: Grouping): LineGroup[] {
    const all = [...this.#groups.values()];
    return by === 'hour' || by === 'minute'
      ? all.sort((a, b) => (a.key < b.key ? -1 : 1))
      : all.sort((a, b) => b.count - a.count || a.last - b.last);
  }
}

const KEYS: Record<Grouping, (line: string) => string> = {
  message: messageOf,
  level: (line) => levelOf(line) ?? '(none)',
  hour: (line) => timeOf(line, 13),
  minute: (line) => timeOf(line, 16),
};

/** A line without its time, numbers and ids. */
function messageOf(line: string): string {
  return line
    .slice(0, MAX_KEY * 4)
    .replace(/[A-Za-z0-9]+/g, (word) => (isValue(word) ? '#' : word))
    .replace(/#(?:[.:,_+/ -]*#)+/g, '#')
    .replace(/^[^A-Za-z"{]+/, '')
    .slice(0, MAX_KEY)
    .trim();
}

/** A number, one with its unit, a hash, an id, or the middle of a time. */
function isValue(word: string): boolean {
  return /\d/.test(word) && /^(?:(?:0x)?[0-9a-f]+|\d+[a-z]{1,2}|\d+T\d+Z?|\d+Z|\w{16,})$/i.test(word);
}

/** Extracts a time such as `2026-11-15T10:57`. */
function timeOf(line: string, length: number): string {
  const found = /(\d{4})[-/](\d{2})[-/](\d{2})[T ](\d{2}):(\d{2})/.exec(line.slice(0, 200));
  if (!found) return '(no time)';
  const [, year, month, day, hour, minute] = found;
  return `${year}-${month}-${day} ${hour}:${minute}`.slice(0, length);
}
