import type { EpisodeInput } from '../../src/domain/entities/episode.ts';

export const NOTES = 'demo__failure_patterns';
export const TURNS = 'demo__turn_states';

export function note(
  entity_id: string,
  text: string,
  changes: Partial<EpisodeInput> & { title?: string; tags?: string[] } = {},
): EpisodeInput {
  const { title = 'A note', tags = [], ...rest } = changes;
  return { group: NOTES, entity_type: 'note', entity_id, body: { title, text, tags }, ...rest };
}

export interface TurnKey {
  feature?: string;
  task?: string;
  turn: number;
}

export function turn(
  { feature = 'FEAT-AUTH', task = 'TASK-1', turn: turn_number }: TurnKey,
  body: Record<string, unknown> = {},
  changes: Partial<EpisodeInput> = {},
): EpisodeInput {
  return {
    group: TURNS,
    entity_type: 'turn_state',
    body: { feature_id: feature, task_id: task, turn_number, mode: 'continuing_work', ...body },
    ...changes,
  };
}
