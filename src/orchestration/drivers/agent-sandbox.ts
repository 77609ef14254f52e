import { isInside } from '../../platform/sandbox/path-inside.ts';
import { resolvePath } from '../../platform/sandbox/resolve-path.ts';
import type { SandboxPolicy } from '../../platform/sandbox/sandbox-policy.ts';
import type { AgentRequest } from './agent-driver.ts';

export type AgentSandbox = NonNullable<AgentRequest['sandbox']>;

/** The sandbox of a request; who may only read cannot write to the folder, whatever the policy says of it. */
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
