import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { importSources } from '../scripts/import-sources.js';
import { measure, summarize } from './measure.js';

const FEATURES = 1_000;

/** Time to check the feature list after an action, with a thousand features. */
export async function measureFeatures(folder) {
  const { openLedger, reconcileFeatureList, readFeatureList, judgeListChange, readFeatures } =
    await importSources([
      'src/store/ledger/open-ledger.ts',
      'src/store/ledger/tables/feature-table.ts',
      'src/enforcement/feature-list/reconcile-feature-list.ts',
      'src/domain/feature-list/feature-list.ts',
      'src/domain/feature-list/judge-list-change.ts',
    ]);
  const home = join(folder, 'features-home');
  const checkout = join(folder, 'features');
  mkdirSync(home, { recursive: true });
  const list = join(checkout, '.claude', 'progress', 'feature-list.json');
  mkdirSync(dirname(list), { recursive: true });
  const ledger = openLedger({ path: join(home, 'ledger.db') });
  try {
    const context = {
      ledger,
      project: 'bench',
      checkout: realpathSync(checkout),
      dataFolder: realpathSync(home),
    };
    const agent = {
      inWindow: true,
      actor: { agent: 'bench', session: 'bench', type: 'coding', id: undefined },
      action: null,
    };
    writeFileSync(
      list,
      JSON.stringify({ features: Array.from({ length: FEATURES }, (_, n) => makeFeature(n)) }),
    );
    reconcileFeatureList(context, { inWindow: false });
    const text = readFileSync(list, 'utf8');
    const other = text.replace('"notes": ""', '"notes": "begun"');

    const features = readFeatures(ledger, context.project);
    const judged = await measure({
      prepare: () => ({}),
      operation: async () => {
        judgeListChange(features, readFeatureList(other).list, { kind: 'agent', type: 'coding' });
      },
      samples: 200,
      budgetMs: 5_000,
    });

    const look = async () => void reconcileFeatureList(context, agent);
    await waitForClock();
    await look();
    const unchanged = await measure({
      prepare: () => ({}),
      operation: look,
      samples: 2_000,
      budgetMs: 5_000,
    });

    let turn = 0;
    const change = () => {
      writeFileSync(list, turn++ % 2 === 0 ? other : text);
      return {};
    };
    const changed = await measure({ prepare: change, operation: look, samples: 100, budgetMs: 10_000 });
    // A file that just changed is read again, because the next change could have the same stamp.
    const again = await measure({
      prepare: () => {
        change();
        reconcileFeatureList(context, agent);
        return {};
      },
      operation: look,
      samples: 100,
      budgetMs: 10_000,
    });
    // Recording a change waits for the disk, whatever is recorded.
    const recorded = await measure({
      prepare: () => ({}),
      operation: async () =>
        void ledger.append(context.project, 'task_reset', { task_id: 'T', by: 'x', reason: '' }),
      samples: 100,
      budgetMs: 10_000,
    });
    const [judgedMs, unchangedMs, againMs, changedMs, recordMs] = [
      judged,
      unchanged,
      again,
      changed,
      recorded,
    ].map((times) => summarize(times).p50);
    return { features: FEATURES, bytes: text.length, judgedMs, unchangedMs, againMs, changedMs, recordMs };
  } finally {
    ledger.close();
  }
}

/** Waits until a later change would get another stamp. */
function waitForClock() {
  return new Promise((resolve) => setTimeout(resolve, 200));
}

function makeFeature(number) {
  return {
    id: `F${String(number).padStart(4, '0')}`,
    description: `People can do thing ${number} and see at once what came of it.`,
    priority: 1 + (number % 5),
    acceptance_criteria: [1, 2, 3].map((n) => `AC-00${n}: step ${n} of thing ${number} works`),
    files: [`src/thing-${number}.ts`],
  };
}
