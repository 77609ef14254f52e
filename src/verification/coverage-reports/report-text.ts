import type { Parsed } from '../../domain/entities/test-report.ts';
import { isObject } from '../../domain/json/plain-shape.ts';

const MAX_SHOWN = 200;

/** A name from a report for a message: limited in length and on one line. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name);
}

/** The lines of a text one at a time, without copying all of them, without a carriage return at the end. */
export function* eachLine(text: string): Generator<string> {
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (start < text.length) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    yield text.slice(start, end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end);
    start = end + 1;
  }
}

/** A JSON object. Read its keys with `Object.entries`: they may have any name. */
export function parseJson(text: string): Parsed<object> {
  try {
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    if (isObject(value)) return { ok: true, value };
    return { ok: false, why: 'it is not a JSON object' };
  } catch {
    // Safe: the caller gets the reason, and the engine's message would only quote the report.
    return { ok: false, why: 'it is not JSON' };
  }
}

/** Normalizes a report's path: `/` as separator, without `.`, `//` and inner `..`; leading `..` stay. */
export function reportPath(given: string): string {
  const path = given.trim().replaceAll('\\', '/');
  const root = /^(?:[A-Za-z]:)?\//.exec(path)?.[0] ?? '';
  const kept: string[] = [];
  for (const part of path.slice(root.length).split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') kept.push(part);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (root === '') kept.push(part);
  }
  return root + kept.join('/');
}

export function isAbsolutePath(path: string): boolean {
  return /^(?:[A-Za-z]:)?\//.test(path);
}
