import { resolve } from 'node:path';
import { hasTools, TASK_TOOLS } from '../../../domain/entities/tool-role.ts';
import type { HookEvent, ToolRequest } from '../../../enforcement/hooks/hook-event.ts';
import type { AgentRequest } from '../agent-driver.ts';
import { judgeWrite } from '../agent-sandbox.ts';
import type { CliAgent } from './cli-agent.ts';

type Acting = Extract<HookEvent, { type: 'acting' }>;

/** Why a role may not use a tool in this way; the guards judge the rest. */
export function judgeRequest(
  { tool, request, source }: Acting,
  asked: Pick<AgentRequest, 'role' | 'folder' | 'access' | 'sandbox'>,
  agent: Pick<CliAgent, 'ownTool' | 'confinesItself'>,
): string | undefined {
  switch (request.kind) {
    case 'read':
      return undefined;
    case 'write':
    case 'replace':
    case 'change':
    case 'patch': {
      for (const path of pathsOf(request)) {
        const judged = judgeWrite(resolve(source.cwd, path), asked);
        if (!judged.ok) return `${tool} may not change ${path}: ${judged.why}`;
      }
      return undefined;
    }
    case 'command':
      // A sandbox limits what a command writes.
      return asked.access === 'write' || asked.sandbox || agent.confinesItself
        ? undefined
        : 'this role is read-only, and without a sandbox a command can change files';
    case 'spawn':
      return 'starting other agents is not allowed in this run';
    case 'tool': {
      const own = agent.ownTool(tool);
      if (request.talks || (own !== undefined && hasTools(asked.role) && TASK_TOOLS.includes(own)))
        return undefined;
      return `the tool ${tool} is not allowed in this run`;
    }
  }
}

function pathsOf(
  request: Extract<ToolRequest, { kind: 'write' | 'replace' | 'change' | 'patch' }>,
): string[] {
  switch (request.kind) {
    case 'write':
    case 'replace':
      return [request.path];
    case 'change':
      return [...request.paths];
    case 'patch':
      return request.files.flatMap((file) =>
        file.type === 'update' && file.movedTo !== undefined ? [file.path, file.movedTo] : [file.path],
      );
  }
}
