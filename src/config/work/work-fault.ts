import type * as z from 'zod';
import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import { legalKeys } from '../yaml/legal-keys.ts';
import { type Fault, formatFault, issueParts, type ParsedYaml } from '../yaml/yaml-file.ts';

/** A fault in a task or feature file, with its fix. */
export interface WorkFault extends Fault {
  hint: string;
}

export function formatWorkFault(fault: WorkFault): string {
  return `${formatFault(fault)} → ${fault.hint}`;
}

/** By file, then by position. */
export function sortFaults(faults: readonly WorkFault[]): WorkFault[] {
  const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return [...faults].sort((a, b) => order(a.file, b.file) || a.line - b.line || a.column - b.column);
}

/** More faults of one file than a person fixes at once. */
const MAX_FAULTS = 50;

function fewKeys(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  return issue.code === 'unrecognized_keys' ? { ...issue, keys: issue.keys.slice(0, MAX_FAULTS) } : issue;
}

/** Converts schema issues to faults; `hints` has the fix by key. */
export function schemaFaults(
  file: string,
  error: z.ZodError,
  parsed: ParsedYaml,
  schema: z.ZodType,
  hints: Readonly<Record<string, string>>,
): WorkFault[] {
  return error.issues
    .slice(0, MAX_FAULTS)
    .map(fewKeys)
    .flatMap((issue) =>
      issueParts(issue, parsed, schema).map((parts): WorkFault => {
        const { line, column, code, subject, problem, suggestion, found, value } = parts;
        const at = { file, line, column, code };
        if (issue.code === 'unrecognized_keys') {
          const known = legalKeys(schema, issue.path).join(', ');
          return {
            ...at,
            message: problem,
            hint: suggestion || (known ? `known keys: ${known}` : 'remove it'),
          };
        }
        const ending = found === '' ? '' : `, found ${found}`;
        if (issue.code !== 'invalid_value') {
          const key = String(issue.path[0] ?? '');
          const hint = Object.hasOwn(hints, key) ? hints[key] : undefined;
          return { ...at, message: `${subject}${problem}${ending}`, hint: hint ?? 'correct this value' };
        }
        const words = issue.values.map(String);
        const near = typeof value === 'string' && found !== '' ? nearestWord(value, words) : undefined;
        return {
          ...at,
          message: `${subject}: unknown value${ending}`,
          hint: didYouMean(near, '') || `use one of ${words.join(', ')}`,
        };
      }),
    );
}
