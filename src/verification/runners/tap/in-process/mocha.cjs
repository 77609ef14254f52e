'use strict';
const { EventEmitter } = require('node:events');
const { existsSync } = require('node:fs');
const { join, resolve } = require('node:path');
const { startedScript } = require('../started-script.cjs');
const { watchAssertions } = require('../watch-assertions.cjs');
const { messageOf, reportOf } = require('./report.cjs');

const WORKER = /[\\/]node_modules[\\/]mocha[\\/]/;

/** The command itself. */
const COMMAND = /[\\/]node_modules[\\/]mocha[\\/]bin[\\/]/;

function mochaModules(context) {
  const { select, seal } = context;
  const isCommand = mayStartAnother(startedScript());
  return [
    [
      /[\\/]node_modules[\\/]mocha[\\/]lib[\\/]mocha\.js$/,
      (Mocha) => {
        if (!isCommand) begin(context);
        const watch = watchAssertions();
        for (const [label, holder] of deciding(Mocha)) watch.remember(label, holder);
        tapMocha(Mocha.prototype, { seal, select, watch });
      },
    ],
    ...(isCommand
      ? [[/[\\/]node_modules[\\/]mocha[\\/]lib[\\/]cli[\\/]cli\.js$/, () => begin(context)]]
      : []),
  ];
}

/** What decides whether a test passes, besides assertions. */
function deciding(Mocha) {
  const names = ['Runner', 'Runnable', 'Test', 'Suite', 'Hook'].filter((name) => Mocha[name]?.prototype);
  return [
    ...names.map((name) => [`mocha.${name}.prototype`, Mocha[name].prototype]),
    ['EventEmitter.prototype', EventEmitter.prototype],
  ];
}

/** Since version 6, the command starts another process if Node options are given, and loads the library first. */
function mayStartAnother(script) {
  return COMMAND.test(script) && existsSync(join(script, '..', '..', 'lib', 'cli', 'cli.js'));
}

function begin({ seal, become }) {
  become('mocha', WORKER);
  seal.start('mocha', { mayStayIdle: true });
}

function tapMocha(prototype, { seal, select, watch }) {
  wrap(
    prototype,
    'run',
    (run) =>
      function mochaRun(...args) {
        seal.busy();
        if (select !== undefined) limitFiles(this, select);
        this._reporter = withSeal(this._reporter, seal, watch);
        return Reflect.apply(run, this, args);
      },
  );
  for (const name of ['loadFiles', 'loadFilesAsync']) {
    wrap(
      prototype,
      name,
      (load) =>
        function loadFiles(...args) {
          if (select !== undefined) limitFiles(this, select);
          return Reflect.apply(load, this, args);
        },
    );
  }
}

function wrap(holder, name, make) {
  if (typeof holder[name] === 'function') holder[name] = make(holder[name]);
}

/** Files that are always loaded first stay. */
function limitFiles(mocha, select) {
  const wanted = new Set([...select, ...[mocha.options?.file ?? []].flat().map((file) => resolve(file))]);
  mocha.files = mocha.files.filter((file) => wanted.has(resolve(file)));
}

/** The chosen reporter, created as usual after ours is attached. */
function withSeal(Reporter, seal, watch) {
  function Keeping(runner, options) {
    keepResults(runner, seal, watch);
    return new Reporter(runner, options);
  }
  return Object.setPrototypeOf(Object.assign(Keeping, { prototype: Reporter.prototype }), Reporter);
}

function keepResults(runner, seal, watch) {
  const tests = [];
  const faults = [];
  const add = (test, status, error) =>
    tests.push({
      file: test.file ?? '',
      path: titlesOf(test),
      status,
      message: error === undefined ? undefined : messageOf(error),
    });
  runner.on('pass', (test) => add(test, 'passed'));
  // A test without a body is pending too, and looks the same as a skipped one.
  runner.on('pending', (test) => add(test, 'skipped'));
  runner.on('fail', (test, error) => {
    if (test.type === 'hook')
      faults.push({ file: test.file, message: `${titlesOf(test).join(' > ')}: ${messageOf(error)}` });
    else add(test, 'failed', error);
  });
  runner.once('end', () => {
    const message = watch.findReplaced() ?? watch.findDisarmed();
    if (message !== undefined) seal.fault({ code: 'assertions-replaced', message });
    const report = reportOf('mocha', tests, faults);
    seal.give(() => report);
  });
}

/** Mocha has a function for it since version 4; tests that ran in another process have nothing else. */
function titlesOf(test) {
  if (typeof test.titlePath === 'function') return test.titlePath();
  const titles = [];
  for (let one = test; one && !one.root; one = one.parent) titles.unshift(one.title);
  return titles;
}

module.exports = { mochaModules };
