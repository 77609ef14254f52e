import { isInside } from '../../platform/files/path-inside.ts';
import { resolvePath } from '../../platform/sandbox/resolve-path.ts';
import type { SandboxPolicy } from '../../platform/sandbox/sandbox-policy.ts';
import type { AgentRequest } from './agent-driver.ts';

export type AgentSandbox = NonNullable<AgentRequest['sandbox']>;

/** The sandbox of a request; with read access, the folder is never writable, even if the policy allows it. */
export function agentSandbox(
  { sandbox, access, folder }: Pick<AgentRequest, 'sandbox' | 'access' | 'folder'>,
  more: Partial<SandboxPolicy> = {},
): AgentSandbox | undefined {
  if (!sandbox) return undefined;
  const policy: SandboxPolicy = {
    writable: [...sandbox.policy.writable, ...(more.writable ?? [])],
    readOnly: [...sandbox.policy.readOnly, ...(more.readOnly ?? [])],
    hidden: [...sandbox.policy.hidden, ...(more.hidden ?? [])],
    network: more.network ?? sandbox.policy.network,
  };
  if (access === 'write') return { ...sandbox, policy };
  const real = resolvePath(folder).path;
  return {
    ...sandbox,
    policy: {
      ...policy,
      writable: policy.writable.filter((path) => !isInside(resolvePath(path).path, real)),
      readOnly: [...policy.readOnly, folder],
    },
  };
}

type WriteJudgement =
  | { ok: true; path: string }
  | {
      ok: false;
      code: 'reads_only' | 'zero_byte' | 'endless_links' | 'folder_itself' | 'outside' | 'protected';
      why: string;
    };

/** Whether an agent may write this path, for tools that write outside the sandbox. Links are resolved first. */
export function judgeWrite(
  given: string,
  { folder, access, sandbox }: Pick<AgentRequest, 'folder' | 'access' | 'sandbox'>,
): WriteJudgement {
  if (access === 'read') return { ok: false, code: 'reads_only', why: 'this role is read-only' };
  if (given.includes('\0')) return { ok: false, code: 'zero_byte', why: 'its name contains a zero byte' };
  const root = resolvePath(folder).path;
  const { path, endless } = resolvePath(given.startsWith('/') ? given : `${root}/${given}`);
  if (endless) return { ok: false, code: 'endless_links', why: 'its links form a loop' };
  if (path === root) return { ok: false, code: 'folder_itself', why: 'it is the folder itself' };
  if (!isInside(path, root))
    return { ok: false, code: 'outside', why: `it is outside the folder, at ${path}` };
  const { readOnly = [], hidden = [], writable = [] } = sandbox?.policy ?? {};
  const closed = deepest([...readOnly, ...hidden], path);
  if (closed === undefined) return { ok: true, path };
  const open = deepest(writable, path);
  // The deeper rule wins; at the same depth, the stricter one.
  if (open !== undefined && open.length > closed.length) return { ok: true, path };
  return { ok: false, code: 'protected', why: 'it is protected' };
}

/** The longest of these folders, resolved, that contains the path. */
function deepest(folders: readonly string[], path: string): string | undefined {
  return folders
    .map((folder) => resolvePath(folder).path)
    .filter((folder) => isInside(path, folder))
    .reduce<string | undefined>(
      (best, folder) => (best && best.length >= folder.length ? best : folder),
      undefined,
    );
}
