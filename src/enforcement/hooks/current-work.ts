import { isWorkId } from '../../domain/entities/work-id.ts';
import type { Action } from '../../guards/action.ts';
import { editedFeature } from '../../guards/changed-features.ts';
import { NO_WORK, type SessionWork } from '../actions/sessions.ts';
import { shownFeatures } from '../feature-list/known-list.ts';
import type { HookContext } from './hook-context.ts';

/** What an action is part of: the feature that it edits in the list, what its session is at, or the only one under way. */
export function findCurrentWork(
  { list, session }: Pick<HookContext, 'list' | 'session'>,
  action: Action,
): SessionWork {
  const work = session.work ?? NO_WORK;
  const edited = editedFeature(action, () => shownFeatures(list));
  if (edited !== undefined && isWorkId(edited))
    return edited === work.feature ? work : { ...NO_WORK, feature: edited };
  return currentWork({ list, session });
}

/** What a session is at: as somebody has said, or the only feature under way. */
export function currentWork({ list, session }: Pick<HookContext, 'list' | 'session'>): SessionWork {
  const work = session.work ?? NO_WORK;
  if (work.feature !== null) return work;
  const under = shownFeatures(list).filter(({ status }) => status === 'in_progress');
  return under.length === 1 ? { ...NO_WORK, feature: under[0]?.id ?? null } : work;
}
