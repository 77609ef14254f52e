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
  const what = said(issue)
    .replace(/^Invalid input: /, '')
    .replace(/^expected .*, received undefined$/, 'is missing');
  return [`${path === '' ? 'body' : path}: ${what}`];
}

function said(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_value' && issue.message.startsWith('Invalid option: ')
    ? `expected one of ${issue.values.map(String).join(', ')}`
    : issue.message;
}
