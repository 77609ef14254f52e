// A vitest reporter that prints nothing and records the results, in the format of vitest's own JSON plus the errors
// outside tests and in hooks. It reads the task tree, which is the same in vitest 0.34 to 4.
import { channel } from 'node:diagnostics_channel';
import { restoreReporters } from './vitest-config-reporters.mjs';

const question = {};
channel('guardkit:tap').publish(question);
const { seal, select, restore, begin } = question.value;
const LONGEST = 4000;
const FINDERS = ['getRelevantTestSpecifications', 'globTestSpecifications', 'globTestSpecs', 'globTestFiles'];

export default class KeepResults {
  async onInit(vitest) {
    this.vitest = vitest;
    // The arguments are parsed; the config file and everything later gets the real ones.
    begin();
    keepSnapshots(vitest);
    if (select !== undefined) {
      limitFiles(vitest, select);
      stopCoverage(vitest);
    }
    // The tap adds the default reporter if the command chose none.
    if (!restore) return;
    try {
      await restoreReporters(vitest, this);
    } catch {
      // Safe: only output for a person is lost, not the results.
    }
  }

  // Vitest 0.34 to 3.
  onFinished(files = this.vitest.state.getFiles(), errors = []) {
    keep(files, errors);
  }

  // Vitest 3 and later; if both are called, they report the same.
  onTestRunEnd(_modules, errors = []) {
    keep(this.vitest.state.getFiles(), errors);
  }
}

/** Limits vitest to the selected files among those that it finds itself. */
function limitFiles(vitest, select) {
  const wanted = new Set(select);
  for (const holder of [vitest, vitest.specifications]) {
    for (const name of FINDERS) {
      const find = holder?.[name];
      if (typeof find !== 'function') continue;
      holder[name] = async function limited(...args) {
        const found = await Reflect.apply(find, this, args);
        return found.filter((one) => wanted.has(one.moduleId ?? one[1]));
      };
    }
  }
  vitest.config.passWithNoTests = true;
}

/** Nobody reads the coverage of a limited run. Vitest has already loaded the tool that would measure it. */
function stopCoverage(vitest) {
  if (vitest.config.coverage !== undefined) vitest.config.coverage.enabled = false;
  // The second name since vitest 4, where the first is read-only.
  for (const name of ['coverageProvider', '_coverageProvider'])
    if (Object.hasOwn(vitest, name)) vitest[name] = undefined;
}

/** A missing snapshot fails, as in CI: a newly written one would match anything. An explicit update stays allowed. */
function keepSnapshots(vitest) {
  const configs = [vitest.config, ...(vitest.projects ?? []).map((project) => project.config)];
  for (const config of configs) {
    const options = config?.snapshotOptions;
    if (options?.updateSnapshot === 'new') options.updateSnapshot = 'none';
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
  // A collected test without a result counts as failed: its worker crashed, or the run ended first.
  return result === undefined && mode === 'run' ? 'unfinished' : 'failed';
}

function messageOf(error) {
  return String(error?.message ?? error).slice(0, LONGEST);
}
