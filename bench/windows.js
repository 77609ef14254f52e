import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importSources } from '../scripts/import-sources.js';
import { measure, summarize } from './measure.js';

const FILES = 50;

/** What an agent's action costs in which nothing happens to the watched files, and one in which something does. */
export async function measureWindows(folder) {
  const sources = await importSources([
    'src/enforcement/windows/open-window.ts',
    'src/enforcement/windows/close-window.ts',
    'src/enforcement/windows/left-behind.ts',
    'src/platform/process-table.ts',
    'src/platform/git-folder.ts',
    'src/store/ledger/open-ledger.ts',
  ]);
  const place = makePlace(join(folder, 'windows'), sources);
  const { openWindow, closeWindow, findLeftBehind, markProcesses } = sources;
  let count = 0;
  const opening = (runs) => ({
    session: 's',
    action: `a${++count}`,
    agent: 'claude',
    runs,
    summary: 'x',
  });
  const times = {};
  const time = async (name, prepare, operation) => {
    const { p50, p95 } = summarize(await measure({ prepare, operation, samples: 200, budgetMs: 10_000 }));
    times[name] = { p50, p95 };
  };
  for (const runs of [false, true]) {
    const kind = runs ? 'command' : 'edit';
    let last;
    const close = (one) => one && closeWindow(place, one);
    const open = (one) => openWindow(place, one);
    await time(
      `open ${kind}`,
      () => {
        close(last);
        last = opening(runs);
        return last;
      },
      open,
    );
    close(last);
    await time(
      `close ${kind}`,
      () => {
        const one = opening(runs);
        open(one);
        return one;
      },
      close,
    );
  }
  await time(
    'put back',
    () => {
      const one = opening(true);
      openWindow(place, one);
      writeFileSync(join(place.checkout, '.guardkit', 'file-1.yaml'), `changed ${count}\n`);
      return one;
    },
    (one) => closeWindow(place, one),
  );
  const question = (mark) => ({
    agent: 'claude',
    session: 's',
    agentPid: process.pid,
    mark,
    orphans: true,
    dataFolder: place.dataFolder,
  });
  const mark = { ...markProcesses(), lastPid: 0 };
  await time(
    'all processes',
    () => ({}),
    () => findLeftBehind([question(mark)]),
  );
  const fresh = markProcesses();
  await time(
    'new processes',
    () => ({}),
    () => findLeftBehind([question(fresh)]),
  );
  place.ledger.close();
  return { watched: FILES, times };
}

function makePlace(root, { findGitFolder, openLedger }) {
  const [checkout, dataFolder, home] = ['shop', 'data', 'home'].map((name) => join(root, name));
  for (const one of [join(checkout, '.guardkit'), dataFolder, home]) mkdirSync(one, { recursive: true });
  execFileSync('git', ['init', '-q', checkout]);
  for (let index = 0; index < FILES; index += 1)
    writeFileSync(join(checkout, '.guardkit', `file-${index}.yaml`), `x: ${index}\n`);
  execFileSync('git', ['add', '-A'], { cwd: checkout });
  execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@example.invalid', 'commit', '-qm', 'Begin'], {
    cwd: checkout,
  });
  return {
    ledger: openLedger({ path: join(dataFolder, 'ledger.db') }),
    project: 'bench-0000',
    checkout,
    git: findGitFolder(checkout),
    dataFolder,
    home,
    globs: [],
  };
}
