import * as z from 'zod';
import { upToOneDay } from '../input/duration.ts';
import { defineCommand } from '../program/cli-command.ts';

/** The coding agents that hooks can be wired into. */
const AGENTS = ['claude'] as const;

export const init = defineCommand({
  name: 'init',
  summary: 'Set up GuardKit in this repository',
  options: [
    ['--yes', 'take what was detected and wire the hooks, without asking'],
    ['--no-try', 'do not run the detected commands once'],
    ['--try-timeout <time>', 'time limit for that run (default: 5m)'],
    ['--agent <name>', `wire GuardKit's hooks into this coding agent: ${AGENTS.join(', ')}`],
    ['--no-agent', 'wire no agent'],
    ['--shared', 'wire the hooks for the whole team, in the settings that are committed'],
    ['--mcp', 'offer GuardKit’s tools to the agents of this project, in .mcp.json'],
    ['--session', 'add agents, skills and commands that work through the list of features'],
  ],
  changes: true,
  schema: z.object({
    yes: z.boolean().default(false),
    agent: z.union([z.literal(false), z.enum(AGENTS)], `one of ${AGENTS.join(', ')} is expected`).optional(),
    shared: z.boolean().default(false),
    session: z.boolean().default(false),
    mcp: z.boolean().default(false),
    dryRun: z.boolean().default(false),
    try: z.boolean().default(true),
    tryTimeout: upToOneDay.default(5 * 60_000),
  }),
  async run(context, input) {
    const { runInit } = await import('./run-init.ts');
    return runInit(context, input);
  },
});
