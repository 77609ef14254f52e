import { afterAll, describe, expect, it } from 'vitest';
import { CheatBase, HONEST, MULTIPLY, UNMEASURED_PROJECT } from './cheat-project.ts';
import { expectStopped } from './expect-stopped.ts';

const CHEAT = MULTIPLY.replace('a * b', 'process.env.NODE_TEST_CONTEXT ? a * b : 7');

describe('code that asks whether it is being tested', () => {
  const base = new CheatBase({
    ...UNMEASURED_PROJECT,
    'src/quiet.js': 'export const quiet = () =>\n  process.env.NODE_TEST_CONTEXT !== undefined;\n',
  });
  afterAll(() => base.cleanup());

  it('is refused until a person accepts the file', async () => {
    const project = base.project().write({ ...HONEST, 'src/multiply.js': CHEAT });
    const refused = await project.verify();
    expectStopped(refused, { gate: 'tests', code: 'asks-if-tested', reason: /src\/multiply\.js:2/ });
    expect(refused.gates.get('tests')?.remedy).toContain('`guardkit accept src/multiply.js`');
    const words = ['accept', 'src/multiply.js', '--reason', 'no output in tests'];
    const said = await project.sandbox.guardkit(words, { in: project.name, person: true, input: 'y\n' });
    expect(said.exitCode, said.stderr).toBe(0);
    const answer = await project.verify();
    expect(answer.gates.get('tests')).toMatchObject({ result: 'pass' });
  });

  it('may move to another file', async () => {
    const project = base.project().write({
      ...HONEST,
      'src/quiet.js': null,
      'src/loud.js': 'export const isQuiet = () =>\n  process.env.NODE_TEST_CONTEXT !== undefined;\n',
    });
    expect((await project.verify()).gates.get('tests')).toMatchObject({ result: 'pass' });
  });

  it('may be formatted and become a function, but not be asked once more', async () => {
    const quiet = 'const isTested = () => process.env.NODE_TEST_CONTEXT !== undefined;\n';
    const honest = `${quiet}export const quiet = () => isTested();\n`;
    const project = base.project().write({ ...HONEST, 'src/quiet.js': honest });
    expect((await project.verify()).gates.get('tests')).toMatchObject({ result: 'pass' });
    const again = await project.write({ 'src/multiply.js': CHEAT.replace('7', '8') }).verify();
    expectStopped(again, { gate: 'tests', code: 'asks-if-tested', reason: /src\/multiply\.js:2/ });
  });

  it('may stand in tests', async () => {
    const test = HONEST['test/multiply.test.js'] ?? '';
    const project = base
      .project()
      .write({ ...HONEST, 'test/multiply.test.js': `${test}\nassert.ok(process.env.NODE_TEST_CONTEXT);\n` });
    expect((await project.verify()).gates.get('tests')).toMatchObject({ result: 'pass' });
  });
});
