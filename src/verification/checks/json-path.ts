import type { Parsed } from '../../domain/entities/test-report.ts';

/** The value at `$.items[0].name`; undefined where there is none. */
export function valueAtJsonPath(text: string, path: string): Parsed<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, why: text.trim() === '' ? 'nothing was printed' : 'what was printed is not JSON' };
  }
  const steps = parsePath(path);
  if (!steps) return { ok: false, why: `${path} is not a path such as $.items[0].name` };
  for (const step of steps) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, step))
      return { ok: true, value: undefined };
    value = Reflect.get(value, step);
  }
  return { ok: true, value };
}

/** Nothing, no items, no characters, or a count of none. */
export function isEmptyData(value: unknown): boolean {
  if (value === undefined || value === null || value === 0) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Names and indexes after the `$`, or undefined if the path is not one. */
function parsePath(path: string): string[] | undefined {
  const steps: string[] = [];
  let rest = path.slice(1);
  while (rest !== '') {
    const step = /^(?:\.([^.[\]]+)|\[(\d{1,9})\]|\["([^"]*)"\])/.exec(rest);
    if (!step) return undefined;
    steps.push(step[1] ?? step[2] ?? step[3] ?? '');
    rest = rest.slice(step[0].length);
  }
  return steps;
}
