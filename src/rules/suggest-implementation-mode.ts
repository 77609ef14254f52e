import type { ImplementationMode } from '../domain/entities/implementation-mode.ts';
import type { RuleSources } from './load-rule-sources.ts';
import { requireProfileType } from './resolve-quality-gates.ts';

const CEREMONY = [
  'minimal',
  'standard',
  'full',
] as const satisfies readonly ImplementationMode['ceremony_level'][];

/** The mode that suits a complexity best; undefined if the store is unavailable or was never seeded. */
export function suggestImplementationMode(
  sources: RuleSources,
  taskType: string,
  complexity: number,
): ImplementationMode | undefined {
  requireProfileType(sources, taskType, complexity);
  const fitting = sources.system.modes.filter(
    ({ complexity_range: [low, high] }) => low <= complexity && complexity <= high,
  );
  const distance = ({ complexity_range: [low, high] }: ImplementationMode) =>
    Math.abs((low + high) / 2 - complexity);
  const ceremony = ({ ceremony_level }: ImplementationMode) => CEREMONY.indexOf(ceremony_level);
  return [...fitting].sort((a, b) => distance(a) - distance(b) || ceremony(a) - ceremony(b))[0];
}

export function modeAdvice({ mode, ceremony_level, when_to_use, pitfalls }: ImplementationMode): string {
  return [
    `💡 Suggested mode: ${mode} (${ceremony_level} ceremony)`,
    ...(when_to_use.length > 0 ? [`   ${when_to_use.join(', ')}`] : []),
    ...pitfalls.map((pitfall) => `   ⚠️  ${pitfall}`),
  ].join('\n');
}
