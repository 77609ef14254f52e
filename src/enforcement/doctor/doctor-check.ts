import type { Outcome } from '../../domain/entities/verification.ts';

/** The result of one check. `absent`: missing, but not required. `fail`: required and not met. */
export interface DoctorCheck {
  id: string;
  outcome: Outcome;
  /** Identifies the result independently of its wording. */
  code?: string;
  /** The result in one line. */
  found: string;
  /** Details, one line each. */
  lines?: readonly string[];
  /** How to fix it. */
  hint?: string;
}

/** Code for hooks that refuse everything because they cannot judge. */
export const REFUSES_ALL = 'refuses-all';

/** A check that throws counts as failed. */
export function failedCheck(id: string, error: unknown, outcome: Outcome = 'fail'): DoctorCheck {
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof Error && 'hint' in error ? String(error.hint) : undefined;
  const native = explainNative(message);
  if (native) return { id, outcome, ...native };
  return { id, outcome, found: message.replace(/\s*\n\s*/g, ' '), ...(hint === undefined ? {} : { hint }) };
}

export const REBUILD =
  'Run `npm rebuild better-sqlite3` in GuardKit’s installation folder, or reinstall guardkit with this Node.';

/** The only part of GuardKit that is compiled for one version of Node. */
function explainNative(message: string): Pick<DoctorCheck, 'found' | 'hint'> | undefined {
  if (!/better[-_]sqlite3|NODE_MODULE_VERSION|bindings file/.test(message)) return undefined;
  return {
    found: `Node ${process.version} cannot load better-sqlite3, which reads the ledger: ${message.replace(/\s*\n\s*/g, ' ')}`,
    hint: REBUILD,
  };
}

/** Where an agent's hooks are examined. */
export interface AgentContext {
  root: string;
  dataFolder: string;
  env: NodeJS.ProcessEnv;
}
