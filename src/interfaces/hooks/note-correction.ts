import type { HookContext } from '../../enforcement/hooks/hook-context.ts';
import { currentWork } from '../../enforcement/hooks/judge-action.ts';
import { noticeCorrection } from '../../learning/corrections/notice-correction.ts';
import { promptBefore } from '../../learning/corrections/prompt-before.ts';

const MAX_FILES = 10;

/** Puts on record that a person's prompt corrects what the agent did, where it does. */
export function noteCorrection(prompt: string, work: HookContext): void {
  const { watch, source, interrupted } = work;
  const { ledger, project, checkout } = watch;
  const before = promptBefore({ ledger, project, checkout, session: source.session, interrupted });
  if (!before) return;
  const noticed = noticeCorrection(prompt, before);
  if (!noticed) return;
  const [person_quote, agent_quote] = noticed.quotes;
  ledger.append(project, 'correction_noticed', {
    session: source.session,
    agent: source.agent,
    signs: noticed.signs,
    confidence: noticed.confidence,
    person_quote,
    agent_quote,
    files: before.edited.slice(0, MAX_FILES),
    feature: currentWork(work).feature,
  });
}
