import type { RunEvent } from '../../../orchestration/run/run-event.ts';
import type { RunResult } from '../../../orchestration/run/run-result.ts';
import { runSession } from '../../../orchestration/run/run-session.ts';
import { OutboxRunner } from '../../../store/ledger/outbox/outbox-runner.ts';
import { openStore } from '../../../store/open-store.ts';
import type { Definition } from '../../../verification/definition/load-definition.ts';
import { learnAfter } from '../build/learn-after.ts';
import { pruneAfterTurn } from '../build/prune-after-turn.ts';
import type { CliContext, Report } from '../program/cli-command.ts';
import { endOnSignal } from '../verification/end-on-signal.ts';
import { describeRun } from './describe-run.ts';
import { openRunSettings } from './open-run-settings.ts';
import { planRun } from './plan-run.ts';
import type { RunInput } from './run-input.ts';
import { showRun } from './show-run.ts';

export async function runRun(context: CliContext, input: RunInput): Promise<Report> {
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
