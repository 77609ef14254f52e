// A reporter of vitest that shows nothing and keeps the results, in the shape of vitest's own JSON with what that
// leaves out: errors outside of any test, and of hooks. It reads the task tree, which is alike in vitest 1 to 4.
import { createRequire } from 'node:module';
import { restoreReporters } from './vitest-config-reporters.mjs';

const seal = createRequire(import.meta.url)('./seal.cjs');
const LONGEST = 4000;

export default class KeepResults {
  async onInit(vitest) {
    this.vitest = vitest;
    // The tap puts this one in where the command chose none.
    if (process.argv[2] !== '--reporter=default') return;
    try {
      await restoreReporters(vitest, this);
    } catch {
      // Safe: what is lost is what a person would have seen, not what is kept.
    }
  }

  // Vitest 1 to 3.
  onFinished(files = this.vitest.state.getFiles(), errors = []) {
    keep(files, errors);
  }

  // Vitest 3 and later; where both are called, both say the same.
  onTestRunEnd(_modules, errors = []) {
    keep(this.vitest.state.getFiles(), errors);
  }
}

function keep(files, errors) {
  const faults = errors.map((error) => ({ message: messageOf(error) }));
  const testResults = files.map((file) => {
    const assertionResults = [];
    collect(file, [], { file: file.filepath, assertionResults, faults });
    return { name: file.filepath, status: 'passed', message: '', assertionResults };
  });
  const report = JSON.stringify({ runner: 'vitest', testResults, faults });
  seal.give(() => report);
}

function collect(suite, ancestors, into) {
  for (const error of suite.result?.errors ?? []) {
    into.faults.push({ file: into.file, message: [...ancestors, messageOf(error)].join(' > ') });
  }
  for (const task of suite.tasks ?? []) {
    if (task.tasks !== undefined) collect(task, [...ancestors, task.name], into);
    else into.assertionResults.push(resultOf(task, ancestors));
  }
}

function resultOf(task, ancestorTitles) {
  return {
    ancestorTitles,
    title: task.name,
    status: statusOf(task),
    failureMessages: (task.result?.errors ?? []).slice(0, 1).map(messageOf),
  };
}

function statusOf({ mode, result }) {
  if (mode === 'todo') return 'todo';
  if (mode === 'skip' || result?.state === 'skip') return 'skipped';
  if (result?.state === 'pass') return 'passed';
  // Collected and never finished counts as failed: its worker went down, or the run ended before it.
  return result === undefined && mode === 'run' ? 'unfinished' : 'failed';
}

function messageOf(error) {
  return String(error?.message ?? error).slice(0, LONGEST);
}
