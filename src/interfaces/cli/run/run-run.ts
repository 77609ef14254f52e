import type { RunEvent } from '../../../orchestration/run/run-event.ts';
import type { RunResult } from '../../../orchestration/run/run-result.ts';
import { runSession } from '../../../orchestration/run/run-session.ts';
import { OutboxRunner } from '../../../store/ledger/outbox-runner.ts';
import { openStore } from '../../../store/open-store.ts';
import type { CliContext, Report } from '../cli-command.ts';
import { deliver } from '../verification/deliver.ts';
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
  let result: RunResult;
  try {
    result = await runSession({ ...settings, signal: ending.signal, emit });
  } finally {
    shown.end();
    ending.forget();
    await outbox.stop();
  }
  const memory = await deliver(ledger, store);
  return describeRun(result, memory === undefined ? [] : [memory]);
}
