import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentRequest, AgentResult } from '../../../src/orchestration/drivers/agent-driver.ts';
import { bubblewrap } from '../../support/bubblewrap.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ANSWER, agentRequest, longCommand } from './agent-request.ts';
import type { DriverBench, Play } from './driver-benches.ts';

/** The contract of every driver. */
export function driverContract(benches: readonly DriverBench[]): void {
  describe.each(benches)('the $name driver [BUILD-11]', ({ unavailable, beginsWithinMs, stage }) => {
    const test = it.skipIf(unavailable !== undefined);

    async function run(
      play: Play,
      given: Partial<AgentRequest> = {},
    ): Promise<AgentResult & { folder: string; activity: string[] }> {
      const folder = given.folder ?? temporaryFolder();
      const { driver, env } = await stage(play, folder);
      const request = await agentRequest({ env, ...given, folder });
      return { ...(await driver.run(request)), folder, activity: request.activity };
    }

    test('gives the answer of an agent that did its work, which is on disk', async () => {
      const { end, usage, folder, activity } = await run({
        write: { 'a.txt': 'written\n' },
        run: ['echo run > b.txt'],
        end: { answer: ANSWER },
      });
      expect(end).toEqual({ type: 'answered', answer: ANSWER });
      expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('written\n');
      expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('run\n');
      expect(usage).toEqual({
        inputTokens: expect.any(Number),
        outputTokens: expect.any(Number),
        costUsd: usage.costUsd === null ? null : expect.any(Number),
      });
      expect(activity.length).toBeGreaterThan(0);
      expect(activity.filter((line) => line.includes('\n'))).toEqual([]);
    });

    test('an agent that ends without an answer has given none', async () => {
      const { end } = await run({ end: 'without a word' });
      expect(end).toEqual({ type: 'unanswered', why: expect.stringMatching(/\w/) });
    });

    test('an agent that crashes has given no answer, and what it wrote before stays', async () => {
      const { end, folder } = await run({ write: { 'a.txt': 'half' }, end: 'crash' });
      expect(end).toEqual({ type: 'crashed', why: expect.stringMatching(/\w/) });
      expect(existsSync(join(folder, 'a.txt'))).toBe(true);
    });

    test('an agent that takes too long is ended with all that it started', async () => {
      const long = longCommand();
      const { end } = await run(
        { run: [`(${long.text} &) ; ${long.text}`], end: { answer: ANSWER } },
        { timeoutMs: beginsWithinMs },
      );
      expect(end).toEqual({ type: 'timed_out', why: expect.stringContaining(`${beginsWithinMs / 1000} s`) });
      expect(long.isRunning()).toBe(false);
    });

    test('an agent that is cancelled is ended with all that it started', async () => {
      const long = longCommand();
      const folder = temporaryFolder();
      const controller = new AbortController();
      const running = run(
        { run: [`touch begun; ${long.text}`], end: { answer: ANSWER } },
        { folder, signal: controller.signal },
      );
      await expect.poll(() => existsSync(join(folder, 'begun')), { timeout: 150_000 }).toBe(true);
      // The shell has still to start it.
      await expect.poll(() => long.isRunning(), { timeout: 150_000 }).toBe(true);
      controller.abort();
      expect((await running).end).toEqual({ type: 'cancelled' });
      expect(long.isRunning()).toBe(false);
    });

    test('an agent that was cancelled before it began does nothing', async () => {
      const { end, folder } = await run(
        { write: { 'a.txt': 'written\n' }, end: { answer: ANSWER } },
        { signal: AbortSignal.abort() },
      );
      expect(end).toEqual({ type: 'cancelled' });
      expect(existsSync(join(folder, 'a.txt'))).toBe(false);
    });

    test.each(['a', 'no'])('what an agent leaves running ends with it, in %s sandbox', async (which) => {
      const long = longCommand();
      const { end } = await run(
        { run: [`(setsid ${long.text} > /dev/null 2>&1 < /dev/null &)`], end: { answer: ANSWER } },
        which === 'no' ? { sandbox: undefined } : {},
      );
      expect(end.type).toBe('answered');
      expect(long.isRunning()).toBe(false);
    });

    test('an agent in the sandbox writes in its folder only, whatever links lie in it', async (context) => {
      const status = await bubblewrap(context);
      const [folder, outside] = [temporaryFolder(), temporaryFolder()];
      symlinkSync(outside, join(folder, 'link'));
      mkdirSync(join(folder, 'kept'));
      const policy = {
        writable: [folder],
        readOnly: [join(folder, 'kept')],
        hidden: [],
        network: 'loopback' as const,
      };
      const { end } = await run(
        {
          write: { 'link/a.txt': 'out', 'kept/a.txt': 'changed', 'b.txt': 'in' },
          run: [`echo out > '${outside}/c.txt' || true`, 'echo changed > kept/b.txt || true'],
          end: { answer: ANSWER },
        },
        { folder, sandbox: { status, policy } },
      );
      expect(end.type).toBe('answered');
      expect(
        ['link/a.txt', 'link/c.txt', 'kept/a.txt', 'kept/b.txt', 'b.txt'].filter((path) =>
          existsSync(join(folder, path)),
        ),
      ).toEqual(['b.txt']);
    });

    test('a Coach judges and changes nothing', async (context) => {
      const status = await bubblewrap(context);
      const folder = temporaryFolder();
      writeFileSync(join(folder, 'code.txt'), 'as it was');
      const policy = { writable: [folder], readOnly: [], hidden: [], network: 'loopback' as const };
      const { end } = await run(
        {
          write: { 'code.txt': 'better' },
          run: ['echo changed > b.txt || true'],
          end: { answer: ANSWER },
        },
        { role: 'coach', access: 'read', folder, sandbox: { status, policy } },
      );
      expect(end).toEqual({ type: 'answered', answer: ANSWER });
      expect(readFileSync(join(folder, 'code.txt'), 'utf8')).toBe('as it was');
      expect(existsSync(join(folder, 'b.txt'))).toBe(false);
    });

    test("a planner's answer is text", async () => {
      const { end } = await run(
        { end: 'without a word', run: ['echo Plan'] },
        { role: 'planner', answerSchema: undefined },
      );
      expect(end).toEqual({ type: 'answered', answer: expect.stringMatching(/\w/) });
    });
  });
}
