import { existsSync, readFileSync } from 'node:fs';
import sax from 'sax';
import { afterEach, describe, expect, it } from 'vitest';
import { CI_FILES, CiProject } from '../../../support/ci-project.ts';

const opened: CiProject[] = [];
afterEach(() => {
  for (const project of opened.splice(0)) project.cleanup();
});
function project(files: Readonly<Record<string, string>> = CI_FILES): CiProject {
  const made = new CiProject(files);
  opened.push(made);
  return made;
}

/** Lines that GitHub would carry out. */
function commandsIn(text: string): string[] {
  return text.split(/[\n\r]/).filter((line) => line.trimStart().startsWith('::') || line.includes('##['));
}

const EVIL = '\\n::error file=x::pwned\\n##[add-mask]a <script>x</script> ](http://evil) | `';

describe('guardkit ci', () => {
  it('[CI-3] shows hostile names, messages, paths and trailers as text only', async () => {
    const calc = project();
    calc.write({
      'test/a\n::error::b.test.js': `import test from 'node:test';\ntest('${EVIL}', () => { throw new Error('${EVIL}'); });\n`,
      'tasks/TASK-002.md': `---\nid: TASK-002\ntitle: "${EVIL}"\n---\n## Acceptance Criteria\n- AC-001: <b>::error::</b> ](http://evil)\n`,
      '.github/workflows/::set-output name=x::y.yml': 'on: push\n',
    });
    calc.commit('Evil\n\nGuardkit-Task: ::stop-commands::x\nGuardkit-Task: <script>');
    const reports = calc.sandbox.path('reports');
    const { stdout, stderr, exitCode } = await calc.ci(['--reports', reports]);
    expect(exitCode).toBe(1);
    const commands = commandsIn(stdout);
    expect(commands.length).toBeGreaterThan(2);
    for (const line of commands) expect(line).toMatch(/^::(?:error|warning) (?:[a-z]+=[^:,]*,?)+::/);
    for (const line of commands) expect(line).not.toContain('##[');
    expect(commandsIn(stderr)).toEqual([]);
    const summary = readFileSync(calc.sandbox.path('summary.md'), 'utf8');
    expect(
      summary.match(/<[a-z/]+>?/g)?.filter((tag) => !/^<\/?(?:br|pre|details|summary)>$/.test(tag)),
    ).toEqual([]);
    expect(summary).not.toContain('](');
    const parser = sax.parser(true);
    const names: string[] = [];
    parser.onopentag = ({ name }) => names.push(name);
    parser.write(readFileSync(`${reports}/junit.xml`, 'utf8')).close();
    expect(new Set(names)).toEqual(new Set(['testsuites', 'testsuite', 'testcase', 'failure', 'skipped']));
  });

  it('[CI-3] does not write reports through a link of the branch', async () => {
    const calc = project();
    calc.git('update-index', '--add', '--cacheinfo', `120000,${linkTo(calc)},reports`);
    calc.sandbox.commit('calc', 'Link');
    calc.git('checkout', '--', 'reports');
    const failure = await calc.sandbox.failure(['ci', '--reports', 'reports'], {
      in: calc.clone(),
      env: calc.pullRequest(),
    });
    expect(failure).toMatchObject({ exitCode: 1, code: 'ci.reports-link' });
    expect(existsSync(calc.sandbox.path('stolen'))).toBe(false);
  });

  it('annotates the reason why it could not verify, and exits with 2', async () => {
    const { '.guardkit/config.yaml': _none, ...files } = CI_FILES;
    const calc = project(files);
    const { stdout, exitCode } = await calc.ci();
    expect(exitCode).toBe(2);
    expect(stdout).toMatch(/^::error title=GuardKit ci\.no-config::/);
    const bare = project({ ...CI_FILES, '.guardkit/config.yaml': 'project: calc-1234\n' });
    const failure = await bare.sandbox.failure(['ci'], { in: bare.clone(), env: bare.pullRequest() });
    expect(failure).toMatchObject({ exitCode: 2, code: 'ci.no-commands' });
  });

  it('says which protection held, and works without a sandbox', async () => {
    const calc = project();
    calc.sandbox.noSandbox = 'this container forbids it';
    calc.write({ 'README.md': 'x\n' });
    calc.commit('Docs');
    expect(await calc.json()).toMatchObject({ exitCode: 0, sandbox: null });
    expect((await calc.ci()).stdout).toContain('this container forbids it');
  });
});

function linkTo(calc: CiProject): string {
  calc.write({ target: calc.sandbox.path('stolen') });
  const object = calc.git('hash-object', '-w', 'target');
  calc.remove('target');
  return object;
}
