import { expect, it } from 'vitest';
import { lastLines, messageLines, relevantLines } from '../../../src/verification/output/relevant-lines.ts';

it('progress and warnings of an installation do not push its failure out of the last lines', () => {
  const progress = Array.from(
    { length: 9 },
    (_, at) => `Progress: resolved ${at}, reused 0, downloaded ${at}`,
  );
  const output = [
    'npm warn deprecated a@1.0.0: old',
    ' ERR_PNPM_FETCH_404  GET https://registry.example/a: Not Found - 404',
    ...progress,
    '',
    'npm warn EBADENGINE Unsupported engine',
    'npm error A complete log of this run can be found in: /x',
  ].join('\n');
  expect(lastLines(output, 2)).toEqual([
    ' ERR_PNPM_FETCH_404  GET https://registry.example/a: Not Found - 404',
    'npm warn EBADENGINE Unsupported engine',
  ]);
  expect(lastLines('a\nb\nc', 2)).toEqual(['b', 'c']);
});

it('npm’s usage and a stack outside the project do not push the cause of a failed installation out of the last lines', () => {
  const missing = 'npm error Missing: left-pad@1.3.0 from lock file';
  const usage = ['npm error', 'npm error Clean install a project', 'npm error Usage:', 'npm error npm ci'];
  expect(lastLines([missing, ...usage, 'npm error Run "npm help ci" for more info'].join('\n'), 2)).toEqual([
    missing,
  ]);
  const stack = [
    '    at Module.require (node:internal/modules/cjs/loader:1289:19)',
    '    at __init (file:///home/.npm/_npx/8a/node_modules/pnpm/dist/pnpm.mjs:5:10)',
  ];
  const cause = 'Error [ERR_UNKNOWN_BUILTIN_MODULE]: No such built-in module: node:sqlite';
  expect(lastLines([cause, ...stack, 'Node.js v20.20.2'].join('\n'), 2)).toEqual([cause]);
  expect(lastLines(stack.join('\n'), 2)).toEqual(stack);
});

it('what pip prints around a failure of its own child process does not hide the cause', () => {
  const cause = 'ERROR: No matching distribution found for flit_scm';
  const output = [
    '  error: subprocess-exited-with-error',
    '  ',
    '  × pip subprocess to install build dependencies did not run successfully.',
    '  │ exit code: 1',
    '  ╰─> [13 lines of output]',
    `      ${cause}`,
    '      [end of output]',
    '  ',
    '  note: This error originates from a subprocess, and is likely not a problem with pip.',
    'error: subprocess-exited-with-error',
    '[notice] To update, run: python3 -m pip install --upgrade pip',
  ].join('\n');
  expect(lastLines(output, 2)).toEqual([`      ${cause}`]);
  expect(relevantLines(output)).toEqual([`      ${cause}`]);
});

it('warnings of yarn 1 about the sealed run are not part of a failure', () => {
  const output = [
    'yarn run v1.22.22',
    "warning You don't appear to have an internet connection. Try the --offline flag to use the cache for registry queries.",
    'warning Skipping preferred cache folder "/usr/local/share/.cache/yarn" because it is not writable.',
    'warning Selected the next writable cache folder in the list, will be "/tmp/.yarn-cache-0".',
    'warning Cannot find a suitable global folder. Tried these: "/usr/local, /usr/local/share/.yarn"',
    '  100:1   warning  This line has a length of 83',
  ].join('\n');
  expect(relevantLines(output)).toEqual(['  100:1   warning  This line has a length of 83']);
});

it('the message of a test without its fixture is pytest’s error, not the code of the test', () => {
  const message = [
    'file /shop/tests/test_main.py, line 145',
    '  @pytest.mark.parametrize("name", [1])',
    '  def test_main(name, mocker):',
    "E       fixture 'mocker' not found",
    '>       available fixtures: cache, capfd',
  ].join('\n');
  expect(messageLines(message, 3)).toEqual(["fixture 'mocker' not found"]);
});
