import type { Outcome } from '../../domain/entities/verification.ts';

/** One thing that the doctor looked at. `absent` is not there and need not be; `fail` should hold and does not. */
export interface DoctorCheck {
  id: string;
  outcome: Outcome;
  /** Tells apart ways in which it may come out, however they are worded. */
  code?: string;
  /** What was found, in one line. */
  found: string;
  /** More of it, a line each. */
  lines?: readonly string[];
  /** What to do about it. */
  hint?: string;
}

/** The code where hooks hold an agent without being able to judge what it does. */
export const REFUSES_ALL = 'refuses-all';

/** What is kept from being learned counts as what it would have shown. */
export function failedCheck(id: string, error: unknown, outcome: Outcome = 'fail'): DoctorCheck {
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof Error && 'hint' in error ? String(error.hint) : undefined;
  const native = explainNative(message);
  if (native) return { id, outcome, ...native };
  return { id, outcome, found: message.replace(/\s*\n\s*/g, ' '), ...(hint === undefined ? {} : { hint }) };
}

/** How the native module is made for the Node that is used now. */
export const REBUILD =
  'Run `npm rebuild better-sqlite3` in the folder that GuardKit is installed in, or install guardkit again with this Node.';

/** The one part of GuardKit that is made for one version of Node. */
function explainNative(message: string): Pick<DoctorCheck, 'found' | 'hint'> | undefined {
  if (!/better[-_]sqlite3|NODE_MODULE_VERSION|bindings file/.test(message)) return undefined;
  return {
    found: `better-sqlite3, which reads the ledger, cannot be loaded by Node ${process.version}: ${message.replace(/\s*\n\s*/g, ' ')}`,
    hint: REBUILD,
  };
}
