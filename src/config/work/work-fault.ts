import type * as z from 'zod';
import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import { legalKeys } from '../yaml/legal-keys.ts';
import { describeIssue, type Fault, formatFault, type ParsedYaml } from '../yaml/yaml-file.ts';

/** What is wrong in a task or feature file, with what to do about it. */
export interface WorkFault extends Fault {
  hint: string;
}

export function formatWorkFault(fault: WorkFault): string {
  return `${formatFault(fault)} → ${fault.hint}`;
}

/** By file, then as they stand in it. */
export function sortFaults(faults: readonly WorkFault[]): WorkFault[] {
  const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return [...faults].sort((a, b) => order(a.file, b.file) || a.line - b.line || a.column - b.column);
}

/** More of one file than a person corrects in one go. */
const MAX_FAULTS = 50;

function fewKeys(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  return issue.code === 'unrecognized_keys' ? { ...issue, keys: issue.keys.slice(0, MAX_FAULTS) } : issue;
}

/** The faults that a schema finds; `hints` says by key what to write instead. */
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
      describeIssue(issue, parsed, schema).map(({ message, ...place }): WorkFault => {
        const [what = message, meant] = message.split(/; (?=did you mean )/);
        if (issue.code === 'unrecognized_keys') {
          const known = legalKeys(schema, issue.path).join(', ');
          return {
            file,
            ...place,
            message: what,
            hint: meant ?? (known ? `known keys: ${known}` : 'remove it'),
          };
        }
        const key = String(issue.path[0] ?? '');
        const hint = Object.hasOwn(hints, key) ? hints[key] : undefined;
        if (issue.code !== 'invalid_value')
          return { file, ...place, message, hint: hint ?? 'correct this value' };
        const words = issue.values.map(String);
        const near = nearestWord(foundWord(message), words);
        return {
          file,
          ...place,
          message: message.replace(/Invalid option: expected one of .*?(?=, found |$)/s, 'an unknown word'),
          hint: didYouMean(near, '') || `use one of ${words.join(', ')}`,
        };
      }),
    );
}

function foundWord(message: string): string {
  return /, found "(.*)"$/s.exec(message)?.[1] ?? '';
}
