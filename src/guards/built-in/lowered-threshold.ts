const NAMES =
  'lines|branches|functions|statements|fail[-_]under|line-rate|minimum[-_]coverage|target|minimum';

/** `lines: 80`, `"branches": 75.5`, `fail_under = 80`, `--cov-fail-under=80`. */
const VALUE = new RegExp(`["']?\\b(${NAMES})["']?\\s{0,5}[:=]\\s{0,5}["']?(\\d{1,3}(?:\\.\\d{1,4})?)`, 'gi');
const ABOUT = /threshold|fail[-_]under|coverage|minimum/i;

const MAX_TEXT = 200_000;

/** Which demand on coverage is less than it was, or gone, in words; undefined where none is. */
export function loweredThreshold(before: string, after: string): string | undefined {
  if (!ABOUT.test(before)) return undefined;
  const [old, next] = [demands(before), demands(after)];
  for (const [name, values] of old) {
    const now = next.get(name) ?? [];
    const [was, is] = [sum(values), sum(now)];
    if (now.length < values.length) return `${name} ${values.join(', ')} is gone`;
    if (now.length === values.length && is < was)
      return `${name} from ${values.join(', ')} to ${now.join(', ')}`;
  }
  return undefined;
}

function demands(text: string): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [, name = '', value = ''] of text.slice(0, MAX_TEXT).matchAll(VALUE)) {
    const key = name.toLowerCase();
    found.set(key, [...(found.get(key) ?? []), Number(value)]);
  }
  return found;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
