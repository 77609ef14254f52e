import { MCP_FILE } from '../../../enforcement/install/wire-mcp.ts';
import { git } from '../../../platform/git/git.ts';
import type { AgentPlan } from './init-agent.ts';

/** What is left to do with the file that names the tools, where git neither has it nor leaves it out. */
export async function describeMcpFile(root: string, { mcp }: Pick<AgentPlan, 'mcp'>): Promise<string[]> {
  if (mcp.length === 0 || !(await isUndecided(root))) return [];
  const ofThisMachine = mcp.some(({ path }) => path !== MCP_FILE);
  return [
    ofThisMachine
      ? `${MCP_FILE} is not in git, and names a program by its place on this machine: add ${MCP_FILE} to .gitignore or .git/info/exclude. For a team, \`guardkit init --mcp --shared\` writes it so that it can be committed.`
      : `${MCP_FILE} is not in git yet: commit it, so that the whole team has the tools.`,
  ];
}

async function isUndecided(root: string): Promise<boolean> {
  const { exitCode, stdout } = await git(root, [
    'ls-files',
    '--others',
    '--exclude-standard',
    '--',
    MCP_FILE,
  ]);
  // Where git cannot tell, nobody is told what to do with it.
  return exitCode === 0 && stdout.trim() !== '';
}
