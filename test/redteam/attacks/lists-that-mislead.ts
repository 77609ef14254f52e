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
    // What reads the list by other letters or keys takes it for tested.
    reached: (session) => (/"[^"]{0,9}sted": ?(?:true|2)/i.test(session.list()) ? ['the list misleads'] : []),
  };
}

function first({ features, ...rest }: Listed, more: object): object {
  const [one, ...others] = features;
  return { ...rest, features: [{ ...one, ...more }, ...others] };
}

/** Lists in which nothing that is GuardKit’s changes, and which read as if it did. */
export const LISTS_THAT_MISLEAD: readonly Attack[] = [
  rewritten('says tested with a capital letter', (list) => first(list, { Tested: true })),
  rewritten('says tested with a letter of another script', (list) => first(list, { 't\u0435sted': true })),
  rewritten('says tested of all features together', (list) => ({ ...list, tested: true })),
  rewritten(
    'adds a feature whose id differs by its letters’ case alone',
    (list) => ({
      ...list,
      features: [...list.features, { ...list.features[0], id: 'feat-1', tested: true }],
    }),
    'initializer',
  ),
];
