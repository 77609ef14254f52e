import type { RuleSources } from '../../../rules/load-rule-sources.ts';
import { type ResolvedQualityGates, resolveQualityGates } from '../../../rules/resolve-quality-gates.ts';
import { BUILT_IN } from '../../../rules/sourced.ts';
import type { Report } from '../program/cli-command.ts';

export function explainGates(sources: RuleSources, taskType: string, complexity: number): Report {
  const gates = resolveQualityGates(sources, taskType, complexity);
  return { json: toJson(gates), text: describe(gates) };
}

function toJson({ profile_type, complexity_range, values }: ResolvedQualityGates): unknown {
  const fields = Object.entries(values).map(([field, { value, origin }]) => [field, { value, origin }]);
  return {
    task_type: { value: profile_type, origin: complexity_range.origin },
    complexity_range,
    ...Object.fromEntries(fields),
  };
}

function describe({
  task_type,
  profile_type,
  complexity,
  complexity_range,
  values,
}: ResolvedQualityGates): string {
  const [low, high] = complexity_range.value;
  const width = Math.max(...Object.keys(values).map((field) => field.length));
  return [
    `Quality gates for ${task_type}, complexity ${complexity}`,
    ...(profile_type === task_type
      ? []
      : [`  ${task_type} has no profile of its own: the one of ${profile_type} holds`]),
    `  profile ${profile_type} ${low}–${high}  [${complexity_range.origin}]`,
    '',
    ...Object.entries(values).map(([field, { value, origin, overrode }]) => {
      const was = overrode.filter((one) => one.origin !== BUILT_IN || one.value !== value);
      const before =
        was.length === 0 ? '' : `  overrode ${was.map((one) => `${one.value} [${one.origin}]`).join(', ')}`;
      return `  ${field.padEnd(width)}  ${String(value).padEnd(5)}  [${origin}]${before}`;
    }),
  ].join('\n');
}
