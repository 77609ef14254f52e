import type { VerifyConfig } from '../config/verify-config.ts';
import { judgeTestRun } from './gates/judge-test-run.ts';
import { ensureSetup } from './runs/ensure-setup.ts';
import type { RunTree } from './runs/run-context.ts';
import { findTestRun, runTests } from './runs/run-tests.ts';
import { inRoom, type RoomRequest, treeOfCommit } from './verify.ts';

/** Whether the base can be judged at all: the set-up works and the gates give a result. Says what to add or fix. */
export async function preflight(request: RoomRequest & { verify: VerifyConfig }): Promise<string[]> {
  const { definition, verify, repository, base } = request;
  const { rules } = definition;
  const missing = [
    ...(rules.testsRequired && !verify.tests
      ? ['no test command is known; add to .guardkit/config.yaml:\nverify:\n  tests:\n    command: npm test']
      : []),
    ...(rules.coverageRequired && !verify.coverage
      ? [
          'how coverage is measured is not known; add to .guardkit/config.yaml, under verify:\n  coverage:\n    command: npx vitest run --coverage\n    report: coverage/lcov.info',
        ]
      : []),
    ...(rules.ui && !(verify.checks ?? []).some(({ browser }) => browser !== undefined)
      ? ['this is marked `ui: true`, but no check has `browser:`; add one under verify.checks']
      : []),
  ];
  const { tests } = verify;
  if (!tests || missing.length > 0) return missing;
  const on: RunTree = { tree: await treeOfCommit(repository, base.commit), is: 'base' };
  return inRoom(request, base.commit, async (context) => {
    const earlier = findTestRun(context, tests, on);
    // What failed may have been the machine, which somebody has mended since.
    const known = earlier && judgeTestRun(earlier).result !== 'fail' ? earlier : undefined;
    if (!known) {
      const setup = await ensureSetup(context, verify.setup, on);
      if (!setup.ready) return [`${setup.why}. Correct \`verify.setup\`, or what it needs.`];
    }
    const { result, reason } = judgeTestRun(known ?? (await runTests(context, tests, on)));
    // A project without tests yet is no trouble: the first feature brings them.
    if (result !== 'fail') return [];
    return [`the tests fail before anything is changed: ${reason}. Put the base right first.`];
  });
}
