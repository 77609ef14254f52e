import type { Parsed } from '../../domain/entities/test-report.ts';
import { isObject } from '../../domain/json/is-object.ts';

/** A JSON object, whose keys are to be read by `Object.entries`: they may be called anything. */
export function parseJson(text: string): Parsed<object> {
  try {
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    if (isObject(value)) return { ok: true, value };
    return { ok: false, why: 'it is no JSON object' };
  } catch {
    // Safe: the caller is told, and the engine's words would only quote the report.
    return { ok: false, why: 'it is no JSON' };
  }
}
