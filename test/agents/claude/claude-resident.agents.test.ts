import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findServer } from '../../../src/enforcement/broker/server-record.ts';
import { claudeProgram, use } from '../../orchestration/drivers/driver-benches.ts';
import { bubblewrap } from '../../support/bubblewrap.ts';
import { hasEnded } from '../../support/ended.ts';
import { type Reply, startMessagesServer } from '../../support/messages-server.ts';
import { ResidentProject } from '../../support/resident-project.ts';

const PROGRAM = claudeProgram();
/** Fewer for a quick look at a change. */
const CALLS = Number(process.env.GUARDKIT_TEST_CALLS ?? 200);
const KILLS = CALLS / 20;
const SESSION_MS = 30 * 60_000;
const DONE: Reply = { content: [{ type: 'text', text: 'All done.' }] };

let project: ResidentProject | undefined;
afterAll(() => project?.cleanup());

/** The tools in turn; every tenth call is forbidden. */
function callAt(n: number, root: string): Reply {
  if (n % 10 === 5)
    return use('Write', { file_path: join(root, '.guardkit', 'config.yaml'), content: `# ${n}\n` });
  if (n % 3 === 0) return use('Read', { file_path: join(root, 'a.js') });
  return use('Bash', { command: `echo ${n} >> out.txt` });
}

function isEcho(n: number): boolean {
  return n % 10 !== 5 && n % 3 !== 0;
}

describe.skipIf(!PROGRAM || !existsSync('/usr/bin/perl'))('the real Claude Code', () => {
  it(
    `keeps working while the resident process is killed ${KILLS} times in ${CALLS} tool calls`,
    async (context) => {
      await bubblewrap(context);
      const own = await ResidentProject.create();
      project = own;
      const before = readFileSync(join(own.root, '.guardkit', 'config.yaml'), 'utf8');
      const killed: number[] = [];
      const killServer = async () => {
        // The hook of the call before may have found none, and started one for this call.
        await expect.poll(() => findServer(own.home), { timeout: 60_000 }).toBeDefined();
        const pid = findServer(own.home)?.pid ?? 0;
        process.kill(pid, 'SIGKILL');
        killed.push(pid);
      };
      let asked = 0;
      const server = await startMessagesServer(async (request) => {
        const n = request.messages.filter(({ role }) => role === 'assistant').length;
        if (n >= CALLS || request.tools.length === 0) return DONE;
        if (n === asked) {
          asked += 1;
          if (n % 20 === 10) await killServer();
        }
        return callAt(n, own.root);
      });
      const output = await new Promise<string>((resolve) => {
        const child = execFile(
          String(PROGRAM),
          [
            ...['-p', 'Go on', '--output-format', 'stream-json', '--verbose'],
            ...['--allowedTools', 'Bash,Write,Edit,Read', '--permission-mode', 'acceptEdits'],
          ],
          { cwd: own.root, env: { ...own.sandbox.env, ...server.env(String(own.sandbox.env.HOME)) } },
          (_error, stdout, stderr) => resolve(`${stdout}\n${stderr}`),
        );
        child.stdin?.end();
      });
      const numbers = Array.from({ length: CALLS }, (_, n) => n);
      expect(asked, output.slice(-2000)).toBe(CALLS);
      expect(killed).toHaveLength(KILLS);
      expect(new Set(killed).size).toBe(KILLS);
      // No action was decided wrongly, and none was locked out.
      expect(readFileSync(join(own.root, '.guardkit', 'config.yaml'), 'utf8')).toBe(before);
      expect(readFileSync(join(own.root, 'out.txt'), 'utf8').trim().split('\n').map(Number)).toEqual(
        numbers.filter(isEcho),
      );
      // None was recorded twice.
      const actions = own.query(
        "SELECT body ->> '$.action' FROM entries WHERE kind = 'action_judged' ORDER BY number",
      );
      expect(actions).toHaveLength(CALLS / 10);
      expect(new Set(actions).size).toBe(CALLS / 10);
      const owners = own.owners();
      expect(owners.filter((one) => one === 'resident').length).toBeGreaterThan(CALLS / 2);
      expect(killed.filter((pid) => !hasEnded(pid))).toEqual([]);
      expect(own.agent.brokers().length).toBeLessThanOrEqual(1);
    },
    SESSION_MS,
  );
});
