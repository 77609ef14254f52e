import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { VerifyConfig } from '../../../../src/config/project/verify-config.ts';
import { configLines } from '../../../../src/interfaces/cli/verification/commands-to-run.ts';

it.each<[string, VerifyConfig]>([
  ['a report from the test run', { tests: { command: 'go test ./...' }, coverage: { report: 'cover.out' } }],
  ['a report of the tests', { setup: 'npm ci', tests: { command: 'mvn test', report: 'target/reports' } }],
  ['a command with YAML’s own signs', { tests: { command: "sh -c 'echo a: b # c' && npm test" } }],
])('detected commands are shown as the lines to commit: %s', (_what, verify) => {
  expect(parse(configLines(verify))).toEqual({ verify });
});
