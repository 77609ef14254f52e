import type { StoreSettings } from '../../config/project/workspace.ts';
import { askStore } from '../../rules/ask-store.ts';
import { type PrecedentQuestion, type Precedents, precedentsFor } from './precedents-for.ts';

/** The same with a store that may be away, which is no reason to wait: then there are none. */
export async function recallPrecedents(
  settings: StoreSettings,
  project: string,
  question: PrecedentQuestion,
): Promise<Precedents> {
  const answer = await askStore(settings, (store) => precedentsFor(store, project, question));
  return answer.ok ? answer.value : { text: '', ids: [] };
}
