import { afterAll, describe, expect, it } from 'vitest';
import type { StopAction, ToolAction } from '../../../src/guards/action.ts';
import { realPath } from '../../../src/guards/real-path.ts';
import { common, FEATURES, GuardedProject, LIST, listText } from '../guarded-project.ts';

const project = new GuardedProject();
afterAll(() => project.cleanup());

/** The decision on an edit, and the guards that object. */
function judge(path: string, after: string | undefined, how: { before?: string; type?: string } = {}) {
  const { decision, findings } = project.judge(project.edit(path, after, how));
  return [decision, ...findings.map(({ guard }) => guard)];
}

const set = (field: string, value: unknown, index = 0) =>
  listText((features) => {
    Object.assign(features[index] ?? {}, { [field]: value });
  });

describe('an edit of the feature list', () => {
  it.each([
    ['tested set to true', set('tested', true)],
    ['tested set to "true"', set('tested', 'true')],
    ['tested set to 1', set('tested', 1)],
    ['invented evidence', set('evidence', ['E-1'])],
    ['retries reset', set('retries', -1)],
    ['a reason for a block', set('blocked_reason', 'I say so')],
    [
      'a new feature that claims to be tested',
      listText((features) => features.push({ id: 'F003', tested: true })),
    ],
    [
      'a second feature with the same id',
      listText((features) => features.push({ id: 'F001', tested: true })),
    ],
    ['no JSON', '{"features": ['],
    ['no list', '{}'],
    ['an unknown result', undefined],
  ])('with %s is refused', (_what, after) => {
    const [decision, ...guards] = judge(LIST, after, { type: 'coding' });
    expect([decision, guards.length > 0]).toEqual(['deny', true]);
  });

  it('that sets tested is refused by block-tested-true, which names the right command', () => {
    const { findings } = project.judge(project.edit(LIST, set('tested', true), { type: 'coding' }));
    expect(findings[0]).toMatchObject({
      guard: 'block-tested-true',
      reason: expect.stringContaining('F001'),
      guidance: expect.stringContaining('guardkit verify F001'),
    });
  });

  it.each([
    ['a coding agent', 'coding', 'status', 'completed', 'allow'],
    ['a coding agent of a plugin', 'guardkit:coding-agent', 'status', 'completed', 'allow'],
    ['a coding agent', 'coding', 'notes', 'done', 'allow'],
    ['a coding agent', 'coding', 'description', 'less', 'deny'],
    ['a tester', 'tester', 'notes', 'looks good', 'allow'],
    ['a tester', 'tester', 'status', 'completed', 'deny'],
    ['the orchestrating agent', undefined, 'priority', 1, 'allow'],
    ['the orchestrating agent', undefined, 'status', 'blocked', 'deny'],
  ])('by %s (%s) of %s to %s is judged by the agent’s rights', (_who, type, field, value, decision) => {
    expect(judge(LIST, set(field, value), type === undefined ? {} : { type })[0]).toBe(decision);
  });

  it('that removes a feature is refused by field-rights', () => {
    expect(
      judge(
        LIST,
        listText((features) => features.pop()),
      ),
    ).toEqual(['deny', 'field-rights']);
  });

  it('that changes only key order and white space is allowed', () => {
    expect(judge(LIST, JSON.stringify(JSON.parse(listText())))).toEqual(['allow']);
  });

  it('is judged against GuardKit’s records, not against the list on disk', () => {
    const tested = FEATURES.map((feature) => ({ ...feature, tested: true }));
    const edit = project.edit(
      LIST,
      listText((features) => features.map((one) => Object.assign(one, { tested: true }))),
    );
    expect(project.judge(edit, { features: () => tested }).decision).toBe('allow');
  });

  it('that deletes it is refused', () => {
    const edit = project.edit(LIST, undefined);
    const files = edit.files.map((file) => ({ ...file, effect: 'delete' as const }));
    expect(project.judge({ ...edit, files }).findings[0]?.guard).toBe('block-tested-true');
  });

  it('is refused if the features cannot be read', () => {
    const edit = project.edit(LIST, listText());
    const broken = {
      features: () => {
        throw new Error('no ledger');
      },
    };
    expect(project.judge(edit, broken)).toMatchObject({
      decision: 'deny',
      findings: [{ guard: 'guard-error' }, {}],
    });
  });
});

describe('the architecture graph', () => {
  const GRAPH = '.maestro/knowledge.dot';
  const heard = (command: string) => {
    const { decision, findings } = project.judge(project.command(command));
    return [decision, ...findings.map(({ guard }) => guard)];
  };

  it('may be edited by hand, with a warning that names the tool', () => {
    expect(judge(GRAPH, 'digraph knowledge {\n}\n')).toEqual(['warn', 'architecture-by-tool']);
    const { findings } = project.judge(project.edit(GRAPH, undefined));
    expect(findings[0]?.guidance).toContain('guardkit knowledge update');
  });

  it.each([
    `echo 'a [type=component]' >> ${GRAPH}`,
    `sed -i s/active/current/ ${GRAPH}`,
    `cd .maestro && tee knowledge.dot < /dev/null`,
    `rm ${GRAPH}`,
  ])('%s is also an edit by hand', (command) => {
    expect(heard(command)).toEqual(['warn', 'architecture-by-tool']);
  });

  it.each([
    'guardkit knowledge update remove_node --name api',
    'guardkit knowledge validate',
    `cat ${GRAPH}`,
    `git add ${GRAPH}`,
    `dot -Tsvg ${GRAPH}`,
  ])('%s is not an edit by hand', (command) => {
    expect(heard(command)).toEqual(['allow']);
  });
});

describe('the guard thresholds', () => {
  const scripts = (test: string) => JSON.stringify({ scripts: { test } });

  it.each(['echo ok', 'true', 'exit 0', 'vitest run || true', 'vitest run; exit 0', 'echo a && echo b', ''])(
    'refuses a test script that cannot fail: %s',
    (test) => {
      expect(judge('package.json', scripts(test), { before: scripts('vitest run') })).toEqual([
        'deny',
        'thresholds',
      ]);
    },
  );

  it.each([
    'vitest run --coverage',
    'jest',
    'npm run build && vitest run',
    'node --test',
    'vitest run --config ci/vitest.config.ts --reporter=./own.js',
    'vitest run && node scripts/report.js',
    'node scripts/run-tests.js',
  ])('accepts another script that can fail: %s', (test) => {
    expect(judge('package.json', scripts(test), { before: scripts('vitest run') })).toEqual(['allow']);
  });

  it('accepts a script where none ran before', () => {
    const npm = 'echo "Error: no test specified" && exit 1';
    expect(judge('package.json', scripts('true'), { before: scripts(npm) })).toEqual(['allow']);
    expect(judge('package.json', scripts('vitest run'), { before: scripts(npm) })).toEqual(['allow']);
  });

  it.each([
    ['package.json', scripts('vitest run'), scripts('vitest run -t login')],
    ['package.json', scripts('vitest run'), scripts('vitest run --passWithNoTests')],
    ['package.json', scripts('vitest run'), scripts('vitest run test/easy.test.ts')],
    ['package.json', scripts('tsc && node --test'), scripts('tsc && node --test test/easy.js')],
    ['package.json', scripts('pytest'), scripts('pytest tests/easy')],
    [
      'vitest.config.ts',
      'thresholds: { lines: 80, branches: 70 }',
      'thresholds: { lines: 10, branches: 70 }',
    ],
    ['vitest.config.ts', 'thresholds: { lines: 80 }', 'coverage: {}'],
    ['pyproject.toml', '[tool.coverage.report]\nfail_under = 90', '[tool.coverage.report]\nfail_under = 50'],
    ['jest.config.js', 'module.exports = {}', 'module.exports = { passWithNoTests: true }'],
    ['test/a.test.ts', 'it("a", () => {})', 'it.skip("a", () => {})'],
    ['test/a.test.ts', 'it("a", () => {})', 'it.only("a", () => {})'],
    ['test/a.test.ts', 'it("a", () => {})', 'xit("a", () => {})'],
    ['tests/test_a.py', 'def test_a(): pass', '@pytest.mark.skip\ndef test_a(): pass'],
    ['a_test.go', 'func TestA(t *testing.T) {}', 'func TestA(t *testing.T) { t.Skip("later") }'],
    ['src/test/java/ATest.java', '@Test void a() {}', '@Disabled @Test void a() {}'],
  ])('warns about lower requirements in %s', (path, before, after) => {
    expect(judge(path, after, { before })).toEqual(['warn', 'thresholds']);
  });

  it('warns about a new configuration that passes without tests', () => {
    const text = 'export default { test: { passWithNoTests: true } };';
    expect(judge('vitest.config.ts', text, {})).toEqual(['warn', 'thresholds']);
    expect(judge('vitest.config.ts', 'export default {};', {})).toEqual(['allow']);
  });

  it.each([
    ['vitest.config.ts', 'thresholds: { lines: 80 }', 'thresholds: { lines: 90 }'],
    ['test/a.test.ts', 'it.skip("a", () => {})', 'it("a", () => {})'],
    ['test/a.test.ts', 'it.skip("a", () => {})', 'it.skip("a", () => {})\nit("b", () => {})'],
    ['src/skip.ts', 'x', 'describe.skip("a")'],
  ])('accepts %s if nothing is lowered', (path, before, after) => {
    expect(judge(path, after, { before })).toEqual(['allow']);
  });
});

describe('the guard secrets', () => {
  const key = ['AKIA', 'Q3EGRTY7UIOPZXCV'].join('');
  const line = `const key = '${key}';`;

  it('refuses a secret in a source file and does not repeat it', () => {
    const { decision, findings } = project.judge(project.edit('src/s3.ts', line));
    expect([decision, findings[0]?.guard]).toEqual(['deny', 'secrets']);
    expect(JSON.stringify(findings)).not.toContain(key);
  });

  it.each(['test/s3.test.ts', 'docs/s3.md', 'fixtures/s3.json', '.env'])(
    'warns about a secret in %s',
    (path) => {
      expect(judge(path, line)).toEqual(['warn', 'secrets']);
    },
  );

  it('ignores a secret that was already there', () => {
    expect(judge('src/s3.ts', `${line}\nmore();`, { before: line })).toEqual(['allow']);
  });

  it.each([50, 1000])('finds a secret anywhere in a file of %i lines', (count) => {
    const lines = Array.from({ length: count }, (_, index) => `line(${index});`);
    for (const at of [0, 1, 25, 49, count / 2, count - 1, count]) {
      const after = [...lines.slice(0, at), line, ...lines.slice(at)].join('\n');
      expect(judge('src/s3.ts', after, { before: lines.join('\n') })).toEqual(['deny', 'secrets']);
      expect(judge('src/s3.ts', lines.join('\n'), { before: after })).toEqual(['allow']);
    }
    expect(
      judge('src/s3.ts', `a\n${line}\nb`, { before: `a\nconst key = '${key.slice(0, 8)}';\nb` })[0],
    ).toBe('deny');
  });

  it('accepts a name, a variable or a placeholder', () => {
    for (const text of [
      'const key = process.env.AWS_KEY;',
      'password: "changeme"',
      'API_KEY=<your key>',
      '[scrubbed:aws-key]',
    ])
      expect(judge('src/s3.ts', text)).toEqual(['allow']);
  });

  it('finds a secret that a command writes to a file', () => {
    const write = project.command(`cat > src/s3.ts <<'EOF'\n${line}\nEOF`);
    expect(project.judge(write).findings[0]?.guard).toBe('secrets');
    const use = project.command(`AWS_ACCESS_KEY_ID=${key} aws s3 ls > out.txt`);
    expect(project.judge(use).findings).toEqual([]);
  });
});

describe('an agent that stops', () => {
  const stop = (
    type: string | undefined,
    changed: readonly string[] | undefined,
    again = false,
  ): StopAction => ({
    ...common('Stop', { type }),
    kind: 'stop',
    of: 'subagent',
    changed,
    again,
  });

  it.each(['coding', 'coding-agent', 'player', 'guardkit:coding-agent'])(
    'as %s without a change is sent back',
    (type) => {
      expect(project.judge(stop(type, [])).decision).toBe('deny');
    },
  );

  it.each([
    ['has changed something', stop('coding', ['src/a.ts'])],
    ['was sent back before', stop('coding', [], true)],
    ['only tests', stop('tester', [])],
    ['is the orchestrating agent', stop(undefined, [])],
    ['has unknown changes', stop('coding', undefined)],
  ])('and %s may stop', (_what, action) => {
    expect(project.judge(action).decision).toBe('allow');
  });
});

describe('in a driven session', () => {
  const driven = { driven: true };

  it('the orchestrating agent may not edit sources in any way', () => {
    for (const action of [
      project.edit('src/index.ts', 'x'),
      project.command('sed -i s/42/43/ src/index.ts'),
      project.command('echo x > src/new.ts'),
    ])
      expect(project.judge(action, driven)).toMatchObject({
        decision: 'deny',
        findings: [{ guard: 'block-direct-edit' }],
      });
  });

  it('the orchestrating agent may write notes, run tests and use git', () => {
    for (const action of [
      project.edit('.claude/progress/notes.md', 'x'),
      project.edit(LIST, set('priority', 1)),
      project.command('npm test > test.log'),
      project.command('git merge feature/x && git checkout -b next'),
    ])
      expect(project.judge(action, driven).findings).toEqual([]);
  });

  it('the coding agent may edit sources', () => {
    expect(project.judge(project.edit('src/index.ts', 'x', { type: 'coding' }), driven).decision).toBe(
      'allow',
    );
  });

  it('reading a whole log gives a warning that names the tool', () => {
    for (const action of [project.read('app.log'), project.command('cat app.log')])
      expect(project.judge(action, driven)).toMatchObject({
        decision: 'warn',
        findings: [{ guidance: expect.stringContaining('query_logs') }],
      });
  });

  it('reading a part of a log, or a log in another session, gives none', () => {
    for (const action of [
      project.read('app.log', false),
      project.command('tail -50 app.log'),
      project.command('grep ERROR app.log'),
      project.command('cat app.log | grep ERROR'),
      project.read('src/log.ts'),
    ])
      expect(project.judge(action, driven).findings).toEqual([]);
    expect(project.judge(project.command('cat app.log')).findings).toEqual([]);
  });
});

describe('another tool', () => {
  const tool = (name: string, path: string): ToolAction => ({
    ...common(name),
    kind: 'tool',
    name,
    input: { path },
    mentions: [realPath(path, project.paths())],
  });

  it.each(['mcp__filesystem__write_file', 'mcp__fs__move', 'apply_patch', 'mcp__x__readAndDelete_file'])(
    '%s may not be given a protected path',
    (name) => {
      expect(project.judge(tool(name, '.guardkit/config.yaml')).decision).toBe('deny');
    },
  );

  it.each(['mcp__filesystem__read_text_file', 'mcp__fs__list_directory', 'mcp__guardkit__feature_status'])(
    '%s may',
    (name) => {
      expect(project.judge(tool(name, LIST)).decision).toBe('allow');
    },
  );

  it('may receive any other file', () => {
    expect(project.judge(tool('mcp__filesystem__write_file', 'src/a.ts')).decision).toBe('allow');
  });
});
