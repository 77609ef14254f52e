import type { Parsed } from '../../domain/entities/test-report.ts';

/** Untrusted JSON. Own keys are read by name only, so that a key `__proto__` stays a key. */
export function readJson(text: string): Parsed<unknown> {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    // Deep nesting throws a RangeError, anything else a SyntaxError; the writer causes both.
    return { ok: false, why: `is not valid JSON: ${firstLine(error)}` };
  }
}

export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.slice(0, 200).split('\n')[0] ?? '';
}
