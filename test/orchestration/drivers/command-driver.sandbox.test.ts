import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AgentRequest } from '../../../src/orchestration/drivers/agent-driver.ts';
import {
  type CommandDriverOptions,
  commandDriver,
} from '../../../src/orchestration/drivers/command-driver.ts';
import { bubblewrap } from '../../support/bubblewrap.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { agentRequest } from './agent-request.ts';

async function run(options: CommandDriverOptions, given: Partial<AgentRequest> = {}) {
  const request = await agentRequest(given);
  return { ...(await commandDriver(options).run(request)), folder: request.folder };
}

it('the prompt comes on stdin, with the schema of the answer', async () => {
  const prompt = 'A prompt with $(touch evil), `ticks` and "quotes".\n'.repeat(5000);
  const { end, folder } = await run({ run: 'cat > prompt.txt; echo \'{"decision":"failed"}\'' }, { prompt });
  const read = readFileSync(join(folder, 'prompt.txt'), 'utf8');
  expect(read.startsWith(prompt)).toBe(true);
  expect(read).toContain('"implemented"');
  expect(end).toEqual({ type: 'answered', answer: { decision: 'failed' } });
});

it('a command that does not read its prompt may still answer', async () => {
  const { end } = await run({ run: 'echo \'{"decision":"failed"}\'' }, { prompt: 'x'.repeat(1_000_000) });
  expect(end.type).toBe('answered');
});

it('output on stderr is not an answer', async () => {
  const { end } = await run({ run: 'echo \'{"decision":"failed"}\' >&2' });
  expect(end).toEqual({ type: 'unanswered', why: expect.any(String) });
});

it('an answer before a failure does not count, and the failure is reported', async () => {
  const { end } = await run({ run: 'echo \'{"decision":"implemented"}\'; echo no key >&2; exit 2' });
  expect(end).toEqual({ type: 'crashed', why: expect.stringMatching(/exit 2.*no key/s) });
});

it('exit 75 asks to try again later', async () => {
  const { end } = await run({ run: 'echo limit reached; exit 75' });
  expect(end).toEqual({
    type: 'rate_limited',
    why: expect.stringContaining('limit reached'),
    resetsAt: undefined,
  });
});

it('it gets only the named variables, plus its role, task and turn', async () => {
  const env = { PATH: process.env.PATH, HOME: temporaryFolder(), MY_API_KEY: 'mine', OTHER_API_KEY: 'other' };
  const { folder } = await run({ run: 'env > env.txt', env: ['MY_API_KEY', 'ABSENT'] }, { env, turn: 3 });
  const seen = readFileSync(join(folder, 'env.txt'), 'utf8');
  expect(seen).toContain('MY_API_KEY=mine');
  expect(seen).not.toContain('OTHER_API_KEY');
  expect(seen).toMatch(/^GUARDKIT_ROLE=player$/m);
  expect(seen).toMatch(/^GUARDKIT_TASK=TASK-1$/m);
  expect(seen).toMatch(/^GUARDKIT_TURN=3$/m);
});

it('in the sandbox it may write to the folders that are named for it', async (context) => {
  await bubblewrap(context);
  const home = temporaryFolder();
  mkdirSync(join(home, '.agent'));
  const env = { PATH: process.env.PATH, HOME: home };
  await run({ run: 'echo here > ~/.agent/session; cat > /dev/null', writable: ['~/.agent'] }, { env });
  expect(readFileSync(join(home, '.agent', 'session'), 'utf8')).toBe('here\n');
});

it('a planner’s answer is its whole output', async () => {
  const { end } = await run(
    { run: 'cat; echo; echo Do this.' },
    { role: 'planner', answerSchema: undefined, prompt: 'Plan!' },
  );
  expect(end).toEqual({ type: 'answered', answer: 'Plan!\nDo this.' });
});

it('its output is reported while it runs, from stdout and stderr', async () => {
  const request = await agentRequest();
  const told: string[] = [];
  const abort = new AbortController();
  const { end } = await commandDriver({ run: 'echo reading; echo writing >&2; sleep 60' }).run({
    ...request,
    signal: abort.signal,
    onActivity: (line) => {
      told.push(line);
      // Both were heard while it was still running.
      if (told.includes('reading') && told.includes('writing')) abort.abort();
    },
  });
  expect(end).toEqual({ type: 'cancelled' });
});
