import * as z from 'zod';
import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';

const SHOWN = 8;
const MAX_WORD = 60;

/** What is wrong with a call and how to make it: a model reads this and calls again. */
export function describeWrongCall(tool: string, input: z.ZodObject, error: z.ZodError): string {
  const names = Object.keys(input.shape);
  const lines = withoutFollowing(error.issues).flatMap((issue) => describe(issue, names));
  const more = lines.length > SHOWN ? [`and ${lines.length - SHOWN} more`] : [];
  return [
    `${tool} was not called: ${[...lines.slice(0, SHOWN), ...more].join('; ')}.`,
    names.length === 0
      ? 'It takes no parameters.'
      : `It takes ${names.map((name) => parameter(name, input.shape[name])).join(', ')}.`,
  ].join('\n');
}

/** Zod also measures a value of the wrong type: a text where a list belongs is then "too big". */
function withoutFollowing(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const at = ({ path }: z.core.$ZodIssue) => path.map(String).join('.');
  const mistyped = new Set(issues.filter(({ code }) => code === 'invalid_type').map(at));
  return issues.filter((issue) => issue.code === 'invalid_type' || !mistyped.has(at(issue)));
}

function describe(issue: z.core.$ZodIssue, names: readonly string[]): string[] {
  const path = issue.path.map(String).join('.').slice(0, MAX_WORD);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const meant = issue.path.length === 0 ? nearestWord(key, names) : undefined;
      const name = key.slice(0, MAX_WORD);
      return `there is no parameter ${name}${didYouMean(meant, ', ')}`;
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
