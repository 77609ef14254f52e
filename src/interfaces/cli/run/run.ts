import { DRIVERS } from '../../../config/project/project-config.ts';
import type { BuildEvent } from '../../../orchestration/feature-build/build-event.ts';
import type { RunEvent } from '../../../orchestration/run/run-event.ts';
import type { RunResult } from '../../../orchestration/run/run-result.ts';
import { runSession } from '../../../orchestration/run/run-session.ts';
import { OutboxRunner } from '../../../store/ledger/outbox/outbox-runner.ts';
import { openStore } from '../../../store/open-store.ts';
import type { Definition } from '../../../verification/definition/load-definition.ts';
import { learnAfter, pruneAfterTurn } from '../feature-build/after-build.ts';
import { MAX_TURNS_OPTION, RUN_LIMIT_OPTIONS } from '../feature-build/build-input.ts';
import { type ShownEvents, showEvents } from '../feature-build/show-events.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { runWithWorkers } from '../queue/run-with-workers.ts';
import { endOnSignal } from '../verification/end-on-signal.ts';
import { describeRun, describeRunEvent } from './describe-run.ts';
import { openRunSettings } from './open-run-settings.ts';
import { planRun } from './plan-run.ts';
import { type RunInput, runInputSchema } from './run-input.ts';

export const run = defineCommand({
  name: 'run',
  summary: 'Build and verify all features unattended',
  options: [
    ['--driver <name>', `Player driver: ${DRIVERS.join(', ')}`],
    ['--coach-driver <name>', 'Coach driver (default: the Player’s)'],
    ['--scenario <file>', 'Scenario file for the script driver'],
    ['--brief <file>', 'Brief to generate features from (default: README.md)'],
    ['--features <ids>', 'Only these features, comma-separated', 'repeatable'],
    ['--max-features <n>', 'Stop after N features'],
    MAX_TURNS_OPTION,
    ['--budget-usd <n>', 'Spending limit in USD'],
    ['--until <time>', 'Stop at this time: 07:00, or a date and time'],
    ...RUN_LIMIT_OPTIONS,
    ['--accept-red-baseline', 'Continue when tests already fail on the base commit'],
    ['--yes', 'Confirm detected commands if none are configured'],
    ['--workers <n>', 'Queue all features and start N local workers'],
    ['--json-events', 'Print events as JSON lines while running'],
  ],
  changes: true,
  schema: runInputSchema,
  run: runRun,
});

async function runRun(context: CliContext, input: RunInput): Promise<Report> {
  if (input.dryRun) return planRun(context, input);
  if (input.workers !== undefined) return runWithWorkers(context, input, input.workers);
  const settings = await openRunSettings(context, input);
  const { repository, ledger, store } = settings;
  const ending = endOnSignal();
  const outbox = new OutboxRunner({ ledger, openStore: async () => openStore(store) });
  outbox.start();
  const shown = showRun(context, repository.root, input);
  const emit = (event: RunEvent) => {
    shown.emit(event);
    if (event.type === 'turn_captured' || event.type === 'run_verified') outbox.notify();
  };
  const notice = (text: string) => emit({ type: 'notice', text });
  const retention = new Map<string, ReturnType<typeof pruneAfterTurn>>();
  const tidyUp = async (definition: Definition) => {
    const { id } = definition.feature;
    const known =
      retention.get(id) ?? pruneAfterTurn({ ...settings, definition, sources: definition.sources }, notice);
    retention.set(id, known);
    await known.afterTurn();
  };
  let result: RunResult;
  try {
    result = await runSession({ ...settings, signal: ending.signal, emit, tidyUp });
  } finally {
    shown.end();
    ending.forget();
    await outbox.stop();
    for (const one of retention.values()) await one.close();
  }
  return describeRun(result, await learnAfter(settings, settings.config.learning));
}

/** Shows a run's events and logs all of them. */
function showRun(
  context: Pick<CliContext, 'progress' | 'status'>,
  root: string,
  asked: { verbose: boolean; jsonEvents: boolean },
): ShownEvents<RunEvent> {
  return showEvents<RunEvent>(context, root, asked, {
    describe: describeRunEvent,
    log: (event) => describeRunEvent(event, true),
    ofBuild: (event) => (event.type.startsWith('run_') ? undefined : (event as BuildEvent)),
  });
}
