import { configLines } from '../config/project/config-templates.ts';
import type { DetectedVerify } from '../config/project/detect-verify.ts';
import type { VerifyConfig } from '../config/project/verify-config.ts';
import { detectOnCommit } from './definition/detect-on-commit.ts';
import { judgeTestRun } from './gates/judge-test-run.ts';
import { ensureSetup } from './runs/ensure-setup.ts';
import type { RunTree } from './runs/run-context.ts';
import { findTestRun, runTests } from './runs/run-tests.ts';
import { inWorkspace, treeOfCommit, type WorkspaceRequest } from './verify.ts';

/** Whether the base can be judged at all: the set-up works and the gates give a result. Says what to add or fix. */
export async function preflight(request: WorkspaceRequest & { verify: VerifyConfig }): Promise<string[]> {
  const { definition, verify, repository, base } = request;
  const { rules } = definition;
  const needed = (rules.testsRequired && !verify.tests) || (rules.coverageRequired && !verify.coverage);
  const detected = needed ? await detectOnCommit(repository, base.commit) : undefined;
  const missing = [
    ...(rules.testsRequired && !verify.tests
      ? [`no test command is known; add to .guardkit/config.yaml:\n${linesToAdd(detected, 'tests')}`]
      : []),
    ...(rules.coverageRequired && !verify.coverage
      ? [
          `how coverage is measured is not known; add to .guardkit/config.yaml:\n${linesToAdd(detected, 'coverage')}`,
        ]
      : []),
    ...(rules.ui && !(verify.checks ?? []).some(({ browser }) => browser !== undefined)
      ? ['this is marked `ui: true`, but no check has `browser:`; add one under verify.checks']
      : []),
  ];
  const { tests } = verify;
  if (!tests || missing.length > 0) return missing;
  const on: RunTree = { tree: await treeOfCommit(repository, base.commit), is: 'base' };
  return inWorkspace(request, base.commit, async (context) => {
    const earlier = findTestRun(context, tests, on, { setup: verify.setup });
    // What failed may have been the machine, which somebody has mended since.
    const known = earlier && judgeTestRun(earlier).result !== 'fail' ? earlier : undefined;
    if (!known) {
      const setup = await ensureSetup(context, verify.setup, on);
      if (!setup.ready) return [`${setup.why}. Correct \`verify.setup\`, or what it needs.`];
    }
    const { result, reason } = judgeTestRun(
      known ?? (await runTests(context, tests, on, { setup: verify.setup })),
    );
    // A project without tests yet is no trouble: the first feature brings them.
    if (result !== 'fail') return [];
    return [`the tests fail before anything is changed: ${reason}. Put the base right first.`];
  });
}

const EXAMPLES = {
  tests: { tests: { command: 'YOUR TEST COMMAND' } },
  coverage: { coverage: { command: 'YOUR COVERAGE COMMAND', report: 'coverage/lcov.info' } },
} satisfies Record<string, VerifyConfig>;

/** Lines that fit this project, or an example with the reason why none was found. */
function linesToAdd(detected: DetectedVerify | undefined, part: 'tests' | 'coverage'): string {
  const found = detected?.verify[part];
  const lines = configLines(found ? { [part]: found } : EXAMPLES[part]);
  const notes = found || !detected ? [] : detected.notes;
  return [...lines, ...notes].join('\n');
}
