import * as z from 'zod';
import { ROLE_LISTS } from '../../../config/rule-files/project-rules.ts';
import { ROLES } from '../../../domain/entities/role-constraints.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import { loadRuleSources, type Memory, type RuleSources } from '../../../rules/load-rule-sources.ts';
import { type ResolvedQualityGates, resolveQualityGates } from '../../../rules/resolve-quality-gates.ts';
import {
  type ResolvedRole,
  type Role,
  resolveRoleConstraints,
} from '../../../rules/resolve-role-constraints.ts';
import { BUILT_IN } from '../../../rules/sourced.ts';
import { modeAdvice, suggestImplementationMode } from '../../../rules/suggest-implementation-mode.ts';
import { defineCommand, type Report } from '../program/cli-command.ts';

const inputSchema = z.object({
  what: z.enum(['roles', 'gates', 'mode'], 'expected roles, gates or mode'),
  role: z.string().optional(),
  type: z.string().default('feature'),
  // Plain digits: an empty text or 0x5 would be coerced to an unintended number.
  complexity: z
    .string()
    .regex(/^[0-9]{1,9}$/, 'expected a whole number from 1 to 10')
    .transform(Number)
    .optional(),
});

export const explain = defineCommand({
  name: 'explain',
  summary: 'Show this project’s rules and their origin',
  arguments: [
    ['<what>', 'roles, gates or mode'],
    ['[role]', 'With roles: player or coach'],
  ],
  options: [
    ['--type <type>', 'With gates and mode: task type (default: feature)'],
    ['--complexity <n>', 'With gates and mode: complexity from 1 to 10'],
  ],
  schema: inputSchema,
  async run(context, input) {
    if (input.what !== 'roles' && input.role !== undefined) throw misplacedWord(input.what, input.role);
    const { root, store } = await context.workspace();
    const sources = await loadRuleSources(root, store);
    const report = (): Report => {
      switch (input.what) {
        case 'roles':
          return explainRole(sources, requireRole(input.role));
        case 'gates':
          return explainGates(sources, input.type, requireComplexity(input.complexity));
        case 'mode':
          return explainMode(sources, input.type, requireComplexity(input.complexity));
      }
    };
    return { ...report(), notices: memoryNotice(sources.memory) };
  },
});

/** A notice if memory is off. */
export function memoryNotice(memory: Memory): string[] {
  return memory.available
    ? []
    : [`memory is off: ${memory.why.replace(/\.$/, '')}. Built-in values are used.`];
}

function requireRole(role: string | undefined): (typeof ROLES)[number] {
  const found = ROLES.find((one) => one === role);
  if (found) return found;
  throw new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: role === undefined ? 'Missing role.' : `No role "${role.slice(0, 60)}".`,
    hint: `Roles: ${ROLES.join(', ')}. For example: guardkit config explain roles coach`,
  });
}

/** Otherwise `explain gates testing` would show the gates of feature. */
function misplacedWord(what: string, word: string): GuardKitError {
  return new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: `"${word.slice(0, 60)}" is unexpected: only roles takes a second word.`,
    hint: `For a task type: guardkit config explain ${what} --type ${word.slice(0, 60)} --complexity N`,
  });
}

function requireComplexity(complexity: number | undefined): number {
  if (complexity !== undefined) return complexity;
  throw new GuardKitError({
    code: 'usage',
    kind: 'input',
    message: 'Missing --complexity.',
    hint: 'Add --complexity N (1 to 10).',
  });
}

function explainMode(sources: RuleSources, taskType: string, complexity: number): Report {
  const found = suggestImplementationMode(sources, taskType, complexity);
  if (!found)
    return {
      json: null,
      text: sources.memory.available
        ? 'No advice: the store has no implementation modes. Add them with `guardkit memory seed`.'
        : 'No advice: the store with the implementation modes is unavailable.',
    };
  const { mode, ceremony_level, when_to_use, pitfalls } = found;
  return { json: { mode, ceremony_level, when_to_use, pitfalls }, text: modeAdvice(found) };
}

function explainRole(sources: RuleSources, role: Role): Report {
  const resolved = resolveRoleConstraints(sources, role);
  return { json: resolved.lists, text: describe(resolved) };
}

function describe({ role, lists, removed, unmatched }: ResolvedRole): string {
  const lines = [`Rules for the ${role}`];
  for (const list of ROLE_LISTS) {
    lines.push('', `${list}:`);
    if (lists[list].length === 0) lines.push('  (none)');
    for (const { value, origin } of lists[list]) lines.push(`  ${value}  [${origin}]`);
    for (const one of removed.filter((entry) => entry.list === list)) {
      lines.push(`  removed: ${one.value}  [${one.origin}, removed by ${one.removedBy}]`);
    }
  }
  for (const { list, value, origin } of unmatched) {
    lines.push('', `${origin} removes an entry that is not in ${list}: ${value}`);
  }
  return lines.join('\n');
}

function explainGates(sources: RuleSources, taskType: string, complexity: number): Report {
  const gates = resolveQualityGates(sources, taskType, complexity);
  return { json: gatesJson(gates), text: describeGates(gates) };
}

function gatesJson({ profile_type, complexity_range, values }: ResolvedQualityGates): unknown {
  const fields = Object.entries(values).map(([field, { value, origin }]) => [field, { value, origin }]);
  return {
    task_type: { value: profile_type, origin: complexity_range.origin },
    complexity_range,
    ...Object.fromEntries(fields),
  };
}

function describeGates({
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
      : [`  ${task_type} has no profile; the ${profile_type} profile applies`]),
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
