import type { BuildEvent } from '../../../orchestration/feature-build/build-event.ts';
import { type BuildResult, buildFeature } from '../../../orchestration/feature-build/build-feature.ts';
import { OutboxRunner } from '../../../store/ledger/outbox/outbox-runner.ts';
import { openStore } from '../../../store/open-store.ts';
import type { CliContext, Report } from '../program/cli-command.ts';
import { endOnSignal } from '../verification/end-on-signal.ts';
import type { BuildInput } from './build-input.ts';
import { describeBuild } from './describe-build.ts';
import { learnAfter } from './learn-after.ts';
import { openBuild } from './open-build.ts';
import { pruneAfterTurn } from './prune-after-turn.ts';
import { showBuild } from './show-build.ts';

export interface FeatureBuildInput extends BuildInput {
  task: string[];
  maxTurns: number;
  resume: boolean;
  jsonEvents: boolean;
}

export async function runFeatureBuild(context: CliContext, input: FeatureBuildInput): Promise<Report> {
  const { isTask, ...opened } = await openBuild(context, input);
  const { repository, ledger, store } = opened;
  const ending = endOnSignal();
  const outbox = new OutboxRunner({ ledger, openStore: async () => openStore(store) });
  outbox.start();
  const shown = showBuild(context, repository.root, input);
  const show = (event: BuildEvent) => {
    shown.emit(event);
    if (event.type === 'turn_captured') outbox.notify();
  };
  const retention = pruneAfterTurn(opened, (text) => show({ type: 'notice', text }));
  let result: BuildResult;
  try {
    result = await buildFeature({
      ...opened,
      onlyTasks: [...(isTask ? [input.id] : []), ...input.task],
      maxTurns: input.maxTurns,
      resume: input.resume,
      signal: ending.signal,
      emit: show,
      afterTurn: retention.afterTurn,
    });
  } finally {
    shown.end();
    ending.forget();
    await outbox.stop();
    await retention.close();
  }
  return describeBuild(result, await learnAfter(opened, opened.definition.config.learning));
}
