import { type GuardDefinition, guardFileSchema } from '../../config/guard-files/guard-file.ts';
import type { Pattern } from '../../domain/entities/pattern.ts';
import { oneLine } from '../../domain/json/clean-text.ts';
import type { AttemptFacet } from './attempt-facet.ts';
import { type GuardMatch, guardMatches } from './guard-matches.ts';

const MAX_SHOWN = 120;
const MAX_SENTENCE = 480;

/** Guards that this pattern could become, the likeliest first. None is made of text that is not shared word for word. */
export function guardCandidates(
  id: string,
  pattern: Pattern,
  facets: readonly AttemptFacet[],
): GuardDefinition[] {
  const matches = guardMatches(facets, pattern.guard);
  const agent = /^[A-Za-z][A-Za-z0-9-]{0,60}$/.test(pattern.agent) ? pattern.agent : undefined;
  const forAll = matches.map((match) => definition(id, pattern, match));
  const forOne = agent === undefined ? [] : matches.map((match) => definition(id, pattern, match, agent));
  return [...forAll, ...forOne];
}

function definition(id: string, pattern: Pattern, match: GuardMatch, agent?: string): GuardDefinition {
  const what = shown(describeMatch(match));
  const where = pattern.features.slice(-3).map(shown).join(', ');
  const times = `${pattern.count} times${where === '' ? '' : `, last in ${where}`}`;
  const who = agent === undefined ? 'Agents' : `Agents of the kind ${agent}`;
  return guardFileSchema.parse({
    id,
    summary: cut(`${who} do not ${what}: it was wrong ${times} (${pattern.pattern_id}).`),
    mode: 'shadow',
    ...match,
    ...(agent === undefined ? {} : { agents: [agent] }),
    decision: 'deny',
    reason: cut(`To ${what} was tried ${times}, and was wrong each time (${pattern.pattern_id}).`),
    guidance: cut(guidanceOf(pattern) ?? DEFAULT_GUIDANCE),
  });
}

const DEFAULT_GUIDANCE =
  'Look at `guardkit trace query` for what was right then; if this case is different, a person can let it pass.';

/** What was right then, without the features it was about: this time it may be another. */
function guidanceOf({ correct, features }: Pattern): string | undefined {
  const said = oneLine(correct[0] ?? '', MAX_SENTENCE);
  return said === ''
    ? undefined
    : features.reduce((text, feature) => text.replaceAll(feature, 'FEATURE'), said);
}

function shown(text: string): string {
  return oneLine(text, MAX_SHOWN);
}

function cut(text: string): string {
  return oneLine(text, MAX_SENTENCE);
}

function describeMatch({ kinds, paths, commands, tools, fields }: GuardMatch): string {
  if (fields)
    return `set ${fields.map(({ field, to }) => (to === undefined ? field : `${field} to ${to}`)).join(', ')} in the list of features`;
  if (commands)
    return `run ${commands.map(({ program, subcommand, options = [], args = [] }) => [program, subcommand, ...options, ...args].filter(Boolean).join(' ')).join(', ')}`;
  if (tools) return `use ${tools.join(', ')}`;
  return `${kinds?.includes('read') ? 'read' : 'edit'} ${(paths ?? []).join(', ')}`;
}
