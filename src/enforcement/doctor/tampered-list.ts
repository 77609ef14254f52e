import { isObject } from '../../domain/json/is-object.ts';
import { isTooDeep } from '../../domain/json/json.ts';

export interface TamperedList {
  content: string;
  /** What a cheating agent would be after. */
  claim: string;
}

/** The list as an agent would write it that wants to be done: one feature more is tested than is. */
export function tamperedList(text: string | undefined): TamperedList {
  const list = readList(text);
  const open = list?.features.find(
    (one) => isObject(one) && one.tested !== true && typeof one.id === 'string',
  );
  if (list && isObject(open)) {
    const features = list.features.map((one) => (one === open ? { ...open, tested: true } : one));
    return {
      content: `${JSON.stringify({ ...list.whole, features }, null, 2)}\n`,
      claim: `${String(open.id).slice(0, 80)} "tested": true`,
    };
  }
  const claimed = { id: 'FEAT-DOCTOR', description: 'Never built', status: 'completed', tested: true };
  const features = [...(list?.features ?? []), claimed];
  return {
    content: `${JSON.stringify({ ...list?.whole, features }, null, 2)}\n`,
    claim: 'a feature that nobody built, "tested": true',
  };
}

function readList(
  text: string | undefined,
): { whole: Record<string, unknown>; features: unknown[] } | undefined {
  try {
    const whole: unknown = JSON.parse(text ?? '');
    if (!isObject(whole) || isTooDeep(whole) || !Array.isArray(whole.features)) return undefined;
    return { whole, features: whole.features };
  } catch {
    // Safe: without a list that can be read, one is made up.
    return undefined;
  }
}
