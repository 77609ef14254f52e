import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { claudeProgram, use } from '../orchestration/drivers/driver-benches.ts';
import { PROGRAM as GUARDKIT, Sandbox } from '../support/cli.ts';
import { LIST_PATH } from '../support/hooked-project.ts';
import { type MessagesRequest, type Reply, startMessagesServer } from '../support/messages-server.ts';
import { MEASURE_TESTS, ONE_PROCESS, RUN_TESTS, testFile } from '../support/verified-project.ts';

const PROGRAM = claudeProgram();
const WITHOUT_PROGRAM = PROGRAM ? '' : ' (the Claude Agent SDK has no program for this system here)';
const SESSION_MS = 480_000;

const FEATURES = [
  { id: 'FEAT-ADD', description: 'Adds numbers', criterion: 'AC-001: add(1, 2) gives 3' },
  { id: 'FEAT-HARD', description: 'Solves what nobody can', criterion: 'AC-001: solve() gives 42' },
  { id: 'FEAT-SUB', description: 'Subtracts numbers', criterion: 'AC-001: sub(3, 2) gives 1' },
];

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = new Sandbox();
  sandbox.emptyRepository('calc');
  sandbox.write('calc/BRIEF.md', 'A library that adds and subtracts, and solves what nobody can.\n');
  await sandbox.guardkit(['init', '--yes', '--no-try', '--agent', 'claude', '--session'], { in: 'calc' });
});
afterEach(() => sandbox.cleanup());

/** One run of the real program. */
function claude(env: Record<string, string>, prompt: string, ...more: string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile(
      String(PROGRAM),
      [
        ...['-p', prompt, '--output-format', 'stream-json', '--verbose'],
        ...['--allowedTools', 'Bash,Write,Edit,Read,Agent', '--permission-mode', 'acceptEdits', ...more],
      ],
      { cwd: sandbox.path('calc'), env, maxBuffer: 64 * 1024 * 1024 },
      (_error, stdout, stderr) => resolve(`${stdout}\n${stderr}`),
    );
    child.stdin?.end();
  });
}

const text = (words: string): Reply => ({ content: [{ type: 'text', text: words }] });
const write = (path: string, content: string) =>
  use('Write', { file_path: sandbox.path('calc', path), content });

/** Several files in one tool call: every call starts the hooks again. */
const writeAll = (files: Readonly<Record<string, string>>, then = 'true') => {
  const parts = Object.entries(files).map(
    ([path, content]) => `mkdir -p ${dirname(path)}\ncat > ${path} <<'END'\n${content}END\n`,
  );
  return use('Bash', { command: `${parts.join('')}${then}` });
};

/** A scripted model that follows its instructions: the orchestrator and each agent. */
function obedient({ messages }: MessagesRequest): Reply {
  const told = JSON.stringify(messages);
  const answered = messages.filter(({ role }) => role === 'assistant').length;
  if (told.includes('`guardkit feature import FILE`')) return play(INITIALIZER(), answered);
  // Only the coding agent gets the line for impossible work, and only the tester the one for a fault.
  const coded = /IMPLEMENTATION BLOCKED - Feature (FEAT-\w+)/.exec(told)?.[1];
  if (coded !== undefined) return play(CODING[coded]?.() ?? [], answered);
  if (told.includes('FAILED:')) return text(`PASSED: I looked at ${/FEAT-\w+/.exec(told)?.[0]}.`);
  const state = told.split(/SES-[0-9a-f]{10}/).at(-1) ?? '';
  const [, agent, feature = ''] = /`([\w:-]+-agent)`(?:[^`]*?(FEAT-\w+))?/.exec(state) ?? [];
  if (agent === undefined) return text('I wait, or I am done.');
  return use('Agent', { description: 'a step', prompt: `Go on ${feature}`, subagent_type: agent });
}

function play(script: readonly Reply[], answered: number): Reply {
  return script[Math.min(answered, script.length - 1)] ?? text('Nothing.');
}

const PACKAGE = {
  name: 'calc',
  private: true,
  type: 'module',
  scripts: { test: RUN_TESTS, coverage: MEASURE_TESTS },
};

const INITIALIZER = () => [
  write(
    'features.json',
    JSON.stringify({
      version: 1,
      features: FEATURES.map(({ id, description, criterion }, index) => ({
        id,
        description,
        priority: index + 1,
        status: 'pending',
        complexity: 2,
        acceptance_criteria: [criterion],
      })),
    }),
  ),
  writeAll(
    {
      'package.json': `${JSON.stringify(PACKAGE)}\n`,
      ...ONE_PROCESS,
      'src/one.js': 'export const one = () => 1;\n',
      'test/one.test.js': testFile('one is one', 'one', 'one()', '1'),
    },
    `${GUARDKIT} feature import features.json && rm features.json`,
  ),
  text('The features are written.'),
];

const done = (id: string) => text(`IMPLEMENTATION COMPLETE - Feature ${id} ready for testing`);
const CODING: Record<string, () => readonly Reply[]> = {
  'FEAT-ADD': () => [
    write('src/add.js', 'export const add = (a, b) => a + b;\n'),
    write('test/add.test.js', testFile('AC-001 adds', 'add', 'add(1, 2)', '3')),
    done('FEAT-ADD'),
  ],
  'FEAT-HARD': () => [
    writeAll({
      'src/solve.js': `export const solve = () => ${Math.random()};\n`,
      'test/solve.test.js': testFile('AC-001 solves', 'solve', 'solve()', '42'),
    }),
    done('FEAT-HARD'),
  ],
  'FEAT-SUB': () => [
    writeAll({
      'src/sub.js': 'export const sub = (a, b) => a - b;\n',
      'test/sub.test.js': testFile('AC-001 subtracts', 'sub', 'sub(3, 2)', '1'),
    }),
    done('FEAT-SUB'),
  ],
};

interface Listed {
  id: string;
  status: string;
  tested: boolean;
  retries: number;
  evidence: string[];
  blocked_reason: string | null;
  notes: string;
}

function features(): Listed[] {
  return JSON.parse(readFileSync(sandbox.path('calc', LIST_PATH), 'utf8')).features;
}

function entries(kind: string) {
  const ledger = openLedger({ path: sandbox.path('data', 'ledger.db') });
  try {
    const [project = ''] = ledger.projects();
    expect(ledger.verify(project).ok).toBe(true);
    return ledger.entries(project, { kind }).map(({ body }) => body);
  } finally {
    ledger.close();
  }
}

/** A person's request in another session: the agent writes a file itself and stops. */
const ORDINARY = () => [write('notes.txt', 'An answer.\n'), text('There is your answer.')];

describe.skipIf(!PROGRAM)(`a session inside the real Claude Code${WITHOUT_PROGRAM}`, () => {
  it(
    'goes from a brief in an empty folder to two tested features and a blocked one, without a person, and does not affect other sessions [SESSION-1] [SESSION-2]',
    async () => {
      const server = await startMessagesServer(obedient);
      const env = { ...server.env(sandbox.path('home')), GUARDKIT_HOME: sandbox.home };
      const session = claude(env, '/guardkit-run');
      // While the first feature is in progress, a person uses another session.
      await server.arrived(8);
      const other = await startMessagesServer(({ messages }) =>
        play(ORDINARY(), messages.filter(({ role }) => role === 'assistant').length),
      );
      await claude({ ...other.env(sandbox.path('home')), GUARDKIT_HOME: sandbox.home }, 'What is this?');
      await session;

      expect(features()).toMatchObject([
        { id: 'FEAT-ADD', status: 'completed', tested: true, retries: 0 },
        { id: 'FEAT-HARD', status: 'blocked', tested: false, retries: 2, evidence: [] },
        { id: 'FEAT-SUB', status: 'completed', tested: true, retries: 0 },
      ]);
      const [, hard] = features();
      expect(hard?.blocked_reason).toMatch(/\btests\b/);
      // Its work is kept, out of the way.
      expect(hard?.notes).toContain('refs/guardkit/sessions/');
      expect(existsSync(sandbox.path('calc/src/solve.js'))).toBe(false);
      expect(readFileSync(sandbox.path('calc/src/sub.js'), 'utf8')).toContain('a - b');
      expect(entries('violation_recorded')).toEqual([]);
      expect(entries('session_refused')).toEqual([]);
      expect(JSON.stringify(server.requests.at(-1)?.messages)).toContain('FEAT-ADD, FEAT-SUB');
      const state = JSON.parse(
        readFileSync(sandbox.path('calc/.claude/progress/session-state.json'), 'utf8'),
      );
      expect(state).toMatchObject({ state: 'ended', feature: null, agent: null });
      // The other session got no instructions or limits, and ended at once.
      expect(other.requests).toHaveLength(2);
      expect(JSON.stringify(other.requests)).not.toContain('SES-');
      expect(readFileSync(sandbox.path('calc/notes.txt'), 'utf8')).toBe('An answer.\n');
    },
    SESSION_MS,
  );
});
