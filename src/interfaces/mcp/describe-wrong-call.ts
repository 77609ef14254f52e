import * as z from 'zod';
import { nearestWord } from '../../domain/nearest-word.ts';

const SHOWN = 8;
const MAX_WORD = 60;

/** What is wrong with a call and how to make it: a model reads this and calls again. */
export function describeWrongCall(tool: string, input: z.ZodObject, error: z.ZodError): string {
  const names = Object.keys(input.shape);
  const lines = error.issues.flatMap((issue) => describe(issue, names));
  const more = lines.length > SHOWN ? [`and ${lines.length - SHOWN} more`] : [];
  return [
    `${tool} was not called: ${[...lines.slice(0, SHOWN), ...more].join('; ')}.`,
    `It takes ${names.map((name) => parameter(name, input.shape[name])).join(', ')}.`,
  ].join('\n');
}

function describe(issue: z.core.$ZodIssue, names: readonly string[]): string[] {
  const path = issue.path.map(String).join('.').slice(0, MAX_WORD);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const meant = issue.path.length === 0 ? nearestWord(key, names) : undefined;
      const name = key.slice(0, MAX_WORD);
      return `there is no parameter ${name}${meant === undefined ? '' : `, did you mean ${meant}?`}`;
    });
  const what = issue.message
    .replace(/^Invalid input: /, '')
    .replace(/^expected .*, received undefined$/, 'is missing');
  return [`${path || 'the call'}: ${what}`];
}

function parameter(name: string, schema: z.core.$ZodType | undefined): string {
  const isNeeded = schema !== undefined && !z.safeParse(schema, undefined).success;
  return isNeeded ? `${name} (needed)` : name;
}
