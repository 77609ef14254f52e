'use strict';
const { watchAssertions } = require('../watch-assertions.cjs');
const { callingFiles, isSelected } = require('./calling-files.cjs');
const { messageOf, reportOf } = require('./report.cjs');

function labModules({ seal, select, watch: early, become }) {
  const files = new WeakMap();
  return [
    [
      /[\\/]node_modules[\\/](?:@hapi[\\/])?lab[\\/]lib[\\/]index\.js$/,
      (lab) => {
        const { script } = lab;
        lab.script = function createScript(...args) {
          const created = Reflect.apply(script, this, args);
          files.set(created, callingFiles());
          return created;
        };
      },
    ],
    [
      /[\\/]node_modules[\\/](?:@hapi[\\/])?lab[\\/]lib[\\/]runner\.js$/,
      (runner) => {
        become('lab');
        seal.start('lab', { mayStayIdle: true });
        const watch = early ?? watchAssertions();
        const { execute } = runner;
        runner.execute = async function executeScripts(scripts, settings, ...rest) {
          seal.busy();
          const chosen = [scripts].flat().filter((one) => isSelected(files.get(one) ?? [], select));
          const notebook = await Reflect.apply(execute, this, [chosen, settings, ...rest]);
          const tests = chosen.flatMap((one) => testsOf(one._root, [], files.get(one)?.[0]));
          seal.give(() => {
            const message =
              watch.findReplaced() ??
              findDisarmed(settings?.assert) ??
              watch.findDisarmed({ onlyLoaded: true });
            if (message !== undefined) seal.fault({ code: 'assertions-replaced', message });
            return reportOf('lab', tests, notebook.errors.map(faultOf));
          });
          return notebook;
        };
      },
    ],
  ];
}

/** Tests of an experiment and of those in it, with the results that lab left in them. */
function testsOf(experiment, path, file) {
  const own = (experiment.tests ?? []).map((test) => ({
    file,
    path: [...path, test.relativeTitle ?? test.title],
    status: statusOf(test),
    message: test.err ? messageOf(test.err) : undefined,
  }));
  const inner = (experiment.experiments ?? []).flatMap((one) => testsOf(one, [...path, one.title], file));
  return [...own, ...inner];
}

function statusOf({ err, skipped, todo, duration }) {
  if (err) return 'failed';
  if (todo) return 'todo';
  if (skipped) return 'skipped';
  return duration === undefined ? 'unfinished' : 'passed';
}

function faultOf(error) {
  return { message: messageOf(error) };
}

/** The assertion library that lab was given comes with the project; it is tried afterwards. */
function findDisarmed(library) {
  const expect = library?.expect;
  if (typeof expect !== 'function') return undefined;
  try {
    expect(1).to.equal(2);
  } catch {
    // Safe: throwing is the expected answer.
    return undefined;
  }
  return 'The function expect of the assertion library no longer fails on wrong values.';
}

module.exports = { labModules };
