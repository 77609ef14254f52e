import { findProgram } from '../../platform/processes/find-program.ts';
import { askCodexForHooks } from './ask-codex.ts';
import type { AgentContext, DoctorCheck } from './doctor-check.ts';

/** Codex skips hooks without the person's trust, without a message. Only Codex knows whether it would run them. */
export async function examineCodexTrust({ root, env }: AgentContext): Promise<DoctorCheck> {
  const id = 'codex-trust';
  const program = findProgram('codex', env, root);
  const found = program === undefined ? undefined : await askCodexForHooks(program, root, env);
  if (found === undefined)
    return {
      id,
      outcome: 'absent',
      code: 'not-asked',
      found:
        program === undefined
          ? 'Codex was not found on the PATH, so its trust in the hooks is unknown'
          : 'Codex did not report which hooks it trusts',
    };
  const own = found.filter(({ command }) => command?.includes('/bin/guardkit-hook'));
  if (own.length === 0)
    return {
      id,
      outcome: 'fail',
      code: 'folder-untrusted',
      found: 'Codex does not use the hooks of this folder',
      hint: 'Start `codex` here and trust the folder, then trust GuardKit’s hooks in /hooks. Hooks must not be turned off in Codex’s settings.',
    };
  const skipped = own.filter(({ enabled, trustStatus }) => !enabled || !TRUSTED.includes(trustStatus));
  if (skipped.length > 0)
    return {
      id,
      outcome: 'fail',
      code: 'hooks-untrusted',
      found: `Codex skips ${skipped.length} of GuardKit’s ${own.length} hooks, because you have not trusted them`,
      hint: 'Start `codex` here, open /hooks and trust GuardKit’s hooks.',
    };
  return { id, outcome: 'pass', found: `Codex trusts all ${own.length} hooks` };
}

const TRUSTED: readonly string[] = ['trusted', 'managed'];
