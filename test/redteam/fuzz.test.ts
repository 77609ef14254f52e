import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { analyseCommand } from '../../src/guards/command/analyse-command.ts';
import { ANY_CHARACTER } from '../support/any-character.ts';
import { LIST_PATH, listText } from '../support/hooked-project.ts';
import { runs, sample } from '../support/thorough.ts';
import { AttackSession } from './attack-session.ts';
import { removeTemplate } from './project-template.ts';
import { SLOW_COMMANDS } from './slow-commands.ts';

const TESTED = listText([{ id: 'FEAT-1', tested: true }, { id: 'FEAT-2' }]);
const EVENTS = ['PreToolUse', 'PostToolBatch', 'Stop', 'SubagentStop', 'ConfigChange'];
const TOOLS = [
  'Bash',
  'Write',
  'Edit',
  'MultiEdit',
  'NotebookEdit',
  'Read',
  'Grep',
  'Agent',
  'Task',
  'mcp__x__y',
  'Shell',
  '__proto__',
  'constructor',
  '',
];
/** Limit of processor time for a decision. */
const MOST_MS = 50;

const FRAGMENTS = [
  'sed -i s/false/true/',
  '.claude/progress/feature-list.json',
  'cat',
  '>',
  '>>',
  '<<E',
  '\nE\n',
  '|',
  '&&',
  ';',
  '$(',
  ')',
  '`',
  '"',
  "'",
  "$'",
  '\\',
  '{a,b}',
  '*',
  '**',
  '?',
  '[a-z]',
  '${x:-',
  '}',
  '((',
  '))',
  '[[',
  ']]',
  'for i in',
  '; do',
  'done',
  'if',
  'fi',
  'case x in',
  'esac',
  'eval',
  'bash -c',
  'xargs',
  'env -i',
  'git -c a=b',
  'rm -rf',
  '~',
  '/',
  '..',
  'x=1',
  '$x',
  '#',
  '&',
  '2>&1',
  '<(',
  '\0',
  '\u202e',
  '😀',
  'function f {',
  'time',
  '!',
  'exec 3<>',
  'base64 -d',
  'aGVsbG8=',
  'python3 -c',
  'node -e',
  'find . -exec',
  '{} +',
  '.guardkit/config.yaml',
];

const commandText = fc
  .array(fc.oneof(fc.constantFrom(...FRAGMENTS), fc.string({ maxLength: 8, unit: ANY_CHARACTER })), {
    maxLength: 40,
  })
  .map((parts) => parts.join(' '));

const anything = fc.anything({
  maxDepth: 3,
  withNullPrototype: false,
  values: [fc.string(), fc.integer(), fc.boolean(), fc.constant(null)],
});

/** Refused by exit code or by answer. */
function isRefused({ exitCode, json }: Awaited<ReturnType<AttackSession['hookText']>>): boolean {
  return (
    exitCode === 2 || json.hookSpecificOutput?.permissionDecision === 'deny' || json.decision === 'block'
  );
}

afterAll(removeTemplate);

describe('[GUARD-10] a hook with invalid input', () => {
  it('refuses everything that is not a payload', async () => {
    const session = new AttackSession();
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom(
        '',
        '{',
        'null',
        '[]',
        '""',
        '{"hook_event_name": 1}',
        '{"hook_event_name":"PreToolUse"}',
        '['.repeat(100_000),
        '{"a":'.repeat(50_000),
      ),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const answer = await session.hookText(text);
        expect([0, 2]).toContain(answer.exitCode);
        expect(isRefused(answer)).toBe(true);
      }),
      { numRuns: runs(150) },
    );
  });

  it('refuses or answers a payload of any shape without crashing', async () => {
    const session = new AttackSession();
    await session.begin();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...EVENTS),
        fc.constantFrom(...TOOLS),
        anything,
        anything,
        async (hook_event_name, tool_name, tool_input, other) => {
          const answer = await session.hook({
            hook_event_name,
            tool_name,
            tool_input,
            tool_use_id: 'fuzz',
            tool_calls: other,
            stop_hook_active: other,
            agent_type: other,
          });
          expect([0, 2]).toContain(answer.exitCode);
          if (answer.exitCode === 2) expect(answer.stderr).not.toBe('');
        },
      ),
      { numRuns: runs(120) },
    );
  });

  it('refuses a false list whatever else is in the payload', async () => {
    const session = new AttackSession();
    await session.begin();
    const keys = fc
      .string({ minLength: 1 })
      .filter(
        (key) =>
          ![
            'session_id',
            'cwd',
            'hook_event_name',
            'tool_name',
            'tool_input',
            'tool_use_id',
            '__proto__',
          ].includes(key),
      );
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(keys, anything, { maxKeys: 4 }),
        fc.dictionary(
          keys.filter((key) => !['file_path', 'content'].includes(key)),
          anything,
          { maxKeys: 4 },
        ),
        async (outside, inside) => {
          const tool_input = { ...inside, file_path: session.path(LIST_PATH), content: TESTED };
          const answer = await session.hook({
            ...outside,
            hook_event_name: 'PreToolUse',
            tool_name: 'Write',
            tool_use_id: 'fuzz',
            tool_input,
          });
          expect(isRefused(answer)).toBe(true);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('refuses a false list under every spelling of its path', async () => {
    const session = new AttackSession();
    await session.begin();
    const step = fc.constantFrom(
      '/.',
      '//',
      '/src/..',
      '/.claude/..',
      '/.claude/progress/../..',
      '/./.',
      '/test/../src/..',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 6 }),
        fc.array(fc.constantFrom('/.', '/', '/../progress'), { maxLength: 4 }),
        async (first, second) => {
          const file_path = `${session.folder}${first.join('')}/.claude/progress${second.join('')}/feature-list.json`;
          const answer = await session.hook({
            hook_event_name: 'PreToolUse',
            tool_name: 'Write',
            tool_use_id: 'fuzz',
            tool_input: { file_path, content: TESTED },
          });
          expect(isRefused(answer)).toBe(true);
        },
      ),
      { numRuns: runs(60) },
    );
  });
});

describe('[GUARD-10] the analysis of commands', () => {
  const folders = { cwd: '/project', home: '/home/ada' };

  it('gives an answer to any command', () => {
    fc.assert(
      fc.property(commandText, (text) => {
        const analysis = analyseCommand(text, folders);
        expect(Array.isArray(analysis.uses)).toBe(true);
        expect(analysis.ok || analysis.unclear.length > 0).toBe(true);
      }),
      { numRuns: runs(1500) },
    );
  });

  it('finds a plain write after any complete command', () => {
    const complete = fc.array(
      fc.constantFrom(
        'true',
        'echo hi',
        'ls -la',
        'x=1',
        'cd .',
        '(echo a)',
        '{ echo b; }',
        'for i in 1 2; do echo $i; done',
        'if true; then echo c; fi',
        `echo "it's"`,
        `echo 'a "b'`,
        'cat <<E\ntext "\nE',
        'echo $((1 + 2))',
        'echo ${x:-y}',
        '[[ a == b ]]',
        'case a in a) echo d;; esac',
        '# a comment "',
        'f() { echo e; }',
        'sleep 0 &',
      ),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(complete, fc.constantFrom('\n'), (before, separator) => {
        const text = [...before, `printf x > ${LIST_PATH}`].join(separator);
        const { uses } = analyseCommand(text, folders);
        expect(uses.some(({ path, mode }) => mode === 'write' && path === `/project/${LIST_PATH}`)).toBe(
          true,
        );
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('[GUARD-10] a decision about a command designed to be slow', () => {
  it.each(sample(8, Object.entries(SLOW_COMMANDS)))('takes little time for %s', async (_name, text) => {
    const session = new AttackSession();
    await session.begin();
    const ask = (command: string) =>
      cpuOf(() =>
        session.hook({
          hook_event_name: 'PreToolUse',
          tool_name: 'Bash',
          tool_use_id: 'slow',
          tool_input: { command },
        }),
      );
    await ask('ls');
    const plain = Math.min(await ask('ls'), await ask('ls'));
    let spent = await ask(text);
    // The first run also compiles, and garbage collection may hit any run.
    for (let tries = 0; tries < 12 && spent - plain > MOST_MS; tries++)
      spent = Math.min(spent, await ask(text));
    expect(spent - plain, 'milliseconds of processor time').toBeLessThan(MOST_MS);
  });
});

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
