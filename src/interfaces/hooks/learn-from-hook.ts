import { join } from 'node:path';
import { readProjectConfig } from '../../config/project/project-config.ts';
import { storeSettings } from '../../config/project/workspace.ts';
import type { HookContext } from '../../enforcement/hooks/hook-context.ts';
import { learnFromMemory } from '../../learning/learn.ts';
import { openLedger } from '../../store/ledger/open-ledger.ts';

/** Learns from what a session left behind, when it ends or the next one begins; what a person should know of that. */
export async function learnFromHook({ watch }: HookContext, env: NodeJS.ProcessEnv): Promise<string[]> {
  const { project, checkout, dataFolder, home } = watch;
  const read = await readProjectConfig(checkout);
  const config = read.ok ? read.value : {};
  // Of its own: the one at hand only knows the entries that hooks write.
  const ledger = openLedger({ path: join(dataFolder, 'ledger.db') });
  try {
    const notices = await learnFromMemory({
      ledger,
      store: storeSettings(config, env, dataFolder),
      project,
      root: checkout,
      home,
      learning: config.learning,
      now: Date.now(),
    });
    return notices.map((line) => `GuardKit: ${line}`);
  } finally {
    ledger.close();
  }
}
