import { LIST_PATH as LIST } from '../../support/hooked-project.ts';
import type { Attack } from '../attack.ts';

type Listed = { features: Record<string, unknown>[] };

function rewritten(name: string, change: (list: Listed) => object, type?: string): Attack {
  return {
    name,
    how: (session) =>
      session.writeTool(
        LIST,
        JSON.stringify(change(JSON.parse(session.list()))),
        type === undefined ? {} : { by: { agent_id: 'a1', agent_type: type } },
      ),
    // A reader that ignores case or takes another key sees it as tested.
    reached: (session) => (/"[^"]{0,9}sted": ?(?:true|2)/i.test(session.list()) ? ['the list misleads'] : []),
  };
}

function first({ features, ...rest }: Listed, more: object): object {
  const [one, ...others] = features;
  return { ...rest, features: [{ ...one, ...more }, ...others] };
}

/** Lists that change no field of GuardKit’s, but read as if they did. */
export const LISTS_THAT_MISLEAD: readonly Attack[] = [
  rewritten('writes tested with a capital letter', (list) => first(list, { Tested: true })),
  rewritten('writes tested with a letter of another script', (list) => first(list, { 't\u0435sted': true })),
  rewritten('writes tested for all features together', (list) => ({ ...list, tested: true })),
  rewritten(
    'adds a feature whose id differs only in case',
    (list) => ({
      ...list,
      features: [...list.features, { ...list.features[0], id: 'feat-1', tested: true }],
    }),
    'initializer',
  ),
];
