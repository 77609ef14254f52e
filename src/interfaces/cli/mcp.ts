import * as z from 'zod';
import { TOOL_ROLES } from '../../domain/entities/tool-role.ts';
import { defineCommand } from './program/cli-command.ts';

export const mcp = defineCommand({
  name: 'mcp',
  summary:
    'serve GuardKit’s tools to a coding agent, by the Model Context Protocol on standard input and output',
  options: [['--role <role>', `only what an agent of feature-build needs: ${TOOL_ROLES.join(', ')}`]],
  schema: z.object({
    role: z.enum(TOOL_ROLES, `one of ${TOOL_ROLES.join(', ')} is expected`).optional(),
  }),
  async run(context, { role }) {
    await context.serveMcp({ role });
    return undefined;
  },
});
