import { DRIVERS } from '../../../config/project/project-config.ts';
import type { BuildEvent } from '../../../orchestration/feature-build/build-event.ts';
import type { RunEvent } from '../../../orchestration/run/run-event.ts';
import type { RunResult } from '../../../orchestration/run/run-result.ts';
import { runSession } from '../../../orchestration/run/run-session.ts';
import { OutboxRunner } from '../../../store/ledger/outbox/outbox-runner.ts';
import { openStore } from '../../../store/open-store.ts';
import type { Definition } from '../../../verification/definition/load-definition.ts';
import { learnAfter } from '../build/learn-after.ts';
import { pruneAfterTurn } from '../build/prune-after-turn.ts';
import { type ShownEvents, showEvents } from '../build/show-events.ts';
import { type CliContext, defineCommand, type Report } from '../program/cli-command.ts';
import { endOnSignal } from '../verification/end-on-signal.ts';
import { describeRun } from './describe-run.ts';
import { describeRunEvent } from './describe-run-event.ts';
import { openRunSettings } from './open-run-settings.ts';
import { planRun } from './plan-run.ts';
import { type RunInput, runInputSchema } from './run-input.ts';

export const run = defineCommand({
  name: 'run',
  summary: 'Build and verify all features unattended',
  options: [
    ['--driver <name>', `who plays: ${DRIVERS.join(', ')}`],
    ['--coach-driver <name>', 'who judges, if it is somebody else'],
    ['--scenario <file>', 'what the script driver plays'],
    ['--brief <file>', 'what features are made of where there are none (README.md)'],
    ['--features <ids>', 'only these, with commas between them', 'repeatable'],
    ['--max-features <n>', 'begin nothing further after so many'],
    ['--max-turns <n>', 'turns that a task may take (5)'],
    ['--budget-usd <n>', 'stop when this much is spent'],
    ['--until <time>', 'stop then: 07:00, or a date and time'],
    ['--timeout <seconds>', 'how long one run of an agent may take (3600)'],
    ['--prompt-tokens <n>', 'about how long a prompt may be (40000)'],
    ['--accept-red-baseline', 'go on though the base fails, and judge only what changes'],
    ['--yes', 'confirm commands that were detected, for a project that names none'],
    ['--json-events', 'print every event as a line of JSON while it goes on'],
  ],
  changes: true,
  schema: runInputSchema,
  run: runRun,
});

async function runRun(context: CliContext, input: RunInput): Promise<Report> {
  if (input.dryRun) return planRun(context, input);
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

/** Shows a run to whoever watches, and keeps all of it in the log. */
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
