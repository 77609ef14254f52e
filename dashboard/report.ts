import { parsePrintable } from './printable.ts';

/** Data in the page itself: a report, which has no server. */
export interface Report {
  /** ISO 8601. */
  at: string;
  version: string;
  project: string;
  /** The first page, such as `feature/FEAT-1`. */
  start: string;
  /** Answers of the API by `readKey`. */
  answers: Readonly<Record<string, unknown>>;
}

const element = document.getElementById('guardkit-report');

/** Undefined in the dashboard. */
export const report = element ? (parsePrintable(element.textContent ?? '') as Report) : undefined;

/** The same for the writer of a report and its page. */
export function readKey(name: string, parameters: Readonly<Record<string, string>>): string {
  return `${name}?${new URLSearchParams(Object.entries(parameters).sort())}`;
}
