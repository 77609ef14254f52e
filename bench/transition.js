import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { importSources } from '../scripts/import-sources.js';
import { makeFeature } from './make-feature.js';
import { summarize } from './measure.js';

const FEATURES = 1_000;
const ROUNDS = 60;

/**
 * A session's own time for one step, among a thousand features in ledger and list: read and choose features, run the state
 * machine, write the result and wait for the disk.
 */
export async function measureTransition(folder) {
  const {
    openLedger,
    reconcileFeatureList,
    readFeature,
    recordVerification,
    startSession,
    applyEvent,
    sessionFeatures,
  } = await importSources([
    'src/store/ledger/open-ledger.ts',
    'src/store/ledger/tables/feature-table.ts',
    'src/enforcement/feature-list/reconcile-feature-list.ts',
    'src/enforcement/feature-list/record-verification.ts',
    'src/orchestration/session-record/apply-event.ts',
    'src/orchestration/session-record/session-features.ts',
  ]);
  const home = join(folder, 'transition-home');
  const checkout = join(folder, 'transition');
  const listFile = join(checkout, '.claude', 'progress', 'feature-list.json');
  mkdirSync(home, { recursive: true });
  mkdirSync(dirname(listFile), { recursive: true });
  const features = Array.from({ length: FEATURES }, (_, number) => makeFeature(number));
  writeFileSync(listFile, JSON.stringify({ features }));
  const ledger = openLedger({ path: join(home, 'ledger.db') });
  try {
    const project = 'bench';
    const list = { ledger, project, checkout: realpathSync(checkout), dataFolder: realpathSync(home) };
    const context = { list, doer: { inWindow: false } };
    reconcileFeatureList(list, context.doer);
    const limits = { until: null, max_features: null, budget_usd: null, only: null };
    const id = 'bench-session';
    const at = () => new Date().toISOString();
    let applied = startSession(context, {
      id,
      at: at(),
      driven_by: 'run',
      limits,
      agent_session: null,
      details: {},
    });
    const times = [];
    const step = (event) => {
      const began = performance.now();
      const told = event.type === 'features_known' ? { ...event, features: read() } : event;
      applied = applyEvent(context, id, { ...told, at: at() });
      times.push({ ms: performance.now() - began });
      if (applied.refused !== undefined) throw new Error(applied.refused);
    };
    const read = () => {
      reconcileFeatureList(list, context.doer);
      return sessionFeatures(ledger, project);
    };
    step({ type: 'features_known' });
    for (let round = 0; round < ROUNDS; round += 1) {
      step({ type: 'features_known' });
      const { feature, attempt } = applied.kept.session;
      step({ type: 'build_ended', feature, attempt, outcome: 'approved', why: '', tried: '', cost_usd: 0 });
      const evidence = `VER-${round}`;
      verify(feature, evidence);
      step({ type: 'verified', feature, attempt, outcome: 'pass', evidence: [evidence], gates: [] });
    }
    function verify(feature, evidence) {
      const known = readFeature(ledger, project, feature);
      const definition = { feature: { ...known, path: '.claude/progress/feature-list.json' }, tasks: [] };
      recordVerification(list, context.doer, definition, {
        id: evidence,
        feature_id: feature,
        task_id: null,
        tree: 'tree',
        base_commit: 'base',
        definition_hash: 'hash',
        outcome: 'pass',
        gates: [],
        sandbox: null,
        duration_ms: 1,
      });
    }
    const { p50, p95 } = summarize(times);
    return {
      features: FEATURES,
      bytes: readFileSync(listFile).length,
      transitions: times.length,
      p50Ms: p50,
      p95Ms: p95,
    };
  } finally {
    ledger.close();
  }
}
