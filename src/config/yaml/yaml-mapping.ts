import { isTooDeep } from '../../domain/json/json.ts';
import type { WorkFault } from '../work/work-fault.ts';
import { parseYaml } from './parse-yaml.ts';
import type { ParsedYaml, Place } from './yaml-file.ts';

/** One typo often causes many parser errors. */
const MAX_FAULTS = 5;

export type YamlMapping =
  | { ok: true; value: Record<string, unknown>; places: ParsedYaml }
  | { ok: false; faults: WorkFault[] };

/** Reads a mapping; never throws. Keys without a value, such as `feature_id:`, are dropped. */
export function readYamlMapping(
  file: string,
  text: string,
  { name, maxCharacters }: { name: string; maxCharacters: number },
): YamlMapping {
  const refused = (line: number, code: string, message: string, hint: string): YamlMapping => ({
    ok: false,
    faults: [{ file, line, column: 1, code, message, hint }],
  });
  if (text.length > maxCharacters)
    return refused(1, 'too-large', `${name} is larger than ${maxCharacters / 1024} kB`, 'shorten it');
  const parsed = tryParse(text);
  if (!parsed) return refused(1, 'too-deep', `${name} is nested too deeply`, 'write it flat');
  if (parsed.faults.length > 0) {
    const faults = parsed.faults
      .slice(0, MAX_FAULTS)
      .map((one) => ({ file, ...one, hint: 'fix the YAML here' }));
    return { ok: false, faults };
  }
  const first = text.slice(0, text.length - text.trimStart().length).split('\n').length;
  const value = parsed.value ?? {};
  if (typeof value !== 'object' || Array.isArray(value))
    return refused(first, 'not-a-mapping', `${name} is not a mapping`, 'write key: value lines');
  if (isTooDeep(value)) return refused(1, 'too-deep', `${name} is nested too deeply`, 'write it flat');
  const set = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return { ok: true, value: Object.fromEntries(set), places: notBefore(parsed, first) };
}

/** Reports missing keys at the start of the mapping, not above it. */
function notBefore(parsed: ParsedYaml, line: number): ParsedYaml {
  const after = (place: Place): Place => (place.line < line ? { line, column: 1 } : place);
  return {
    ...parsed,
    placeOf: (path) => after(parsed.placeOf(path)),
    placeOfKey: (path) => after(parsed.placeOfKey(path)),
  };
}

/** Hostile text can overflow the parser's stack. */
function tryParse(text: string): ParsedYaml | undefined {
  try {
    return parseYaml(text);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
