import * as z from 'zod';
import { TOOL_ROLES } from '../../domain/entities/tool-role.ts';
import { defineCommand } from './program/cli-command.ts';

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'Serve GuardKit’s tools to an agent over MCP (stdio)',
  options: [['--role <role>', `Only the tools of this role: ${TOOL_ROLES.join(', ')}`]],
  schema: z.object({
    role: z.enum(TOOL_ROLES, `expected one of ${TOOL_ROLES.join(', ')}`).optional(),
  }),
  async run(context, { role }) {
    await context.serveMcp({ role });
    return undefined;
  },
});
