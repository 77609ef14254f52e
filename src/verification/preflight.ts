import { configLines } from '../config/project/config-templates.ts';
import type { DetectedVerify } from '../config/project/detect-verify.ts';
import type { VerifyConfig } from '../config/project/verify-config.ts';
import { detectOnCommit } from './definition/detect-on-commit.ts';
import { judgeTestRun } from './gates/judge-test-run.ts';
import { ensureSetup } from './runs/ensure-setup.ts';
import type { RunTree } from './runs/run-context.ts';
import { findTestRun, runTests } from './runs/run-tests.ts';
import { inWorkspace, treeOfCommit, type WorkspaceRequest } from './verify.ts';

/** Lists what to add or fix before the base can be judged: its set-up works and its gates give a result. */
export async function preflight(request: WorkspaceRequest & { verify: VerifyConfig }): Promise<string[]> {
  const { definition, verify, repository, base } = request;
  const { rules } = definition;
  const needed = (rules.testsRequired && !verify.tests) || (rules.coverageRequired && !verify.coverage);
  const detected = needed ? await detectOnCommit(repository, base.commit) : undefined;
  const missing = [
    ...(rules.testsRequired && !verify.tests
      ? [`no test command; add to .guardkit/config.yaml:\n${linesToAdd(detected, 'tests')}`]
      : []),
    ...(rules.coverageRequired && !verify.coverage
      ? [`no coverage command; add to .guardkit/config.yaml:\n${linesToAdd(detected, 'coverage')}`]
      : []),
    ...(rules.ui && !(verify.checks ?? []).some(({ browser }) => browser !== undefined)
      ? ['marked `ui: true`, but no check uses `browser:`; add one under `verify.checks`']
      : []),
  ];
  const { tests } = verify;
  if (!tests || missing.length > 0) return missing;
  const on: RunTree = { tree: await treeOfCommit(repository, base.commit), is: 'base' };
  return inWorkspace(request, base.commit, async (context) => {
    const earlier = findTestRun(context, tests, on, { setup: verify.setup });
    // The failure may have been caused by the machine and fixed since.
    const known = earlier && judgeTestRun(earlier).result !== 'fail' ? earlier : undefined;
    if (!known) {
      const setup = await ensureSetup(context, verify.setup, on);
      if (!setup.ready) return [`${setup.why}. Fix the set-up command, or change \`verify.setup\`.`];
    }
    const { result, reason } = judgeTestRun(
      known ?? (await runTests(context, tests, on, { setup: verify.setup })),
    );
    // A project without tests may start: the first feature adds them.
    if (result !== 'fail') return [];
    return [`the tests already fail on the base: ${reason}. Fix the base first.`];
  });
}

const EXAMPLES = {
  tests: { tests: { command: 'YOUR TEST COMMAND' } },
  coverage: { coverage: { command: 'YOUR COVERAGE COMMAND', report: 'coverage/lcov.info' } },
} satisfies Record<string, VerifyConfig>;

/** Lines that suit this project, or an example with the reason why none was detected. */
function linesToAdd(detected: DetectedVerify | undefined, part: 'tests' | 'coverage'): string {
  const found = detected?.verify[part];
  const lines = configLines(found ? { [part]: found } : EXAMPLES[part]);
  const notes = found || !detected ? [] : detected.notes;
  return [...lines, ...notes].join('\n');
}
