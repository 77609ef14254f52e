import type * as z from 'zod';

const SHOWN = 8;

/** The faults of a value as `path: fault`, one per line; the rest is counted. */
export function describeIssues(error: z.ZodError): string {
  const lines = error.issues.flatMap(describeIssue);
  const shown = lines.slice(0, SHOWN);
  if (lines.length > SHOWN) shown.push(`and ${lines.length - SHOWN} more`);
  return shown.join('\n');
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${path === '' ? key : `${path}.${key}`}: unknown field`);
  }
  return [`${path === '' ? 'body' : path}: ${issueText(issue)}`];
}

/** A fault in plain words; a message that a schema sets itself stays. */
export function issueText(issue: z.core.$ZodIssue): string {
  const { code, message } = issue;
  if (code === 'invalid_value' && message.startsWith('Invalid option: '))
    return `expected one of ${issue.values.map(String).join(', ')}`;
  if (code === 'too_small' && message.startsWith('Too small: '))
    return issue.origin === 'string' && issue.minimum === 1
      ? 'must not be empty'
      : `expected at least ${issue.minimum}${unitOf(issue.origin)}`;
  if (code === 'too_big' && message.startsWith('Too big: '))
    return `expected at most ${issue.maximum}${unitOf(issue.origin)}`;
  return message
    .replace(/^Invalid input: /, '')
    .replace(/^expected .*, received undefined$/, 'is missing')
    .replace(/^expected (\w+), received (\w+)$/, (_, expected: string, received: string) =>
      [`expected ${nameOf(expected)}`, `got ${nameOf(received)}`].join(', '),
    );
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['array', 'a list'],
  ['boolean', 'true or false'],
  ['int', 'a whole number'],
  ['number', 'a number'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['string', 'a string'],
]);

function nameOf(type: string): string {
  return TYPES.get(type) ?? type;
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' items' : '';
}
