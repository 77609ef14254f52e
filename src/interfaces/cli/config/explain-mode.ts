import { modeAdvice } from '../../../rules/mode-advice.ts';
import type { RuleSources } from '../../../rules/rule-sources.ts';
import { suggestImplementationMode } from '../../../rules/suggest-implementation-mode.ts';
import type { Report } from '../program/cli-command.ts';

export function explainMode(sources: RuleSources, taskType: string, complexity: number): Report {
  const found = suggestImplementationMode(sources, taskType, complexity);
  if (!found)
    return {
      json: null,
      text: sources.memory.available
        ? 'No advice: the store holds no implementation modes. `guardkit graphiti seed` adds them.'
        : 'No advice: implementation modes are kept in the store, which is not available.',
    };
  const { mode, ceremony_level, when_to_use, pitfalls } = found;
  return { json: { mode, ceremony_level, when_to_use, pitfalls }, text: modeAdvice(found) };
}
