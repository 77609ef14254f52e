'use strict';
// Limits `cargo test` to the integration tests among the selected files. Runs everything if that is uncertain.
const { spawnSync } = require('node:child_process');
const { realpathSync } = require('node:fs');
const { readSelection } = require('../seal.cjs');

/** The command chooses targets itself. */
const TARGETS = /^--(?:lib|bins?|examples?|tests?|bench(?:es)?|doc|all-targets)(?:=|$)/;
/** These choose at least all integration tests. */
const ALL_TESTS = new Set(['--tests', '--all-targets']);
const ELSEWHERE = /^(?:-C|--config(?:=|$))/;
/** Cargo's answer if a target does not belong to the chosen packages or features. */
const NO_SUCH_TARGET = /^error: (?:no test target|target `[^`\n]{1,200}` in package)/m;

/** The arguments for the selected files; undefined if everything must run. */
function selectTargets(real, args, folder) {
  const select = readSelection(folder);
  if (select === undefined || select.length === 0) return undefined;
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  const others = own.filter((arg) => !ALL_TESTS.has(arg));
  if (others.some((arg) => TARGETS.test(arg) || ELSEWHERE.test(arg))) return undefined;
  const at = others.findIndex((arg) => arg === 'test' || arg === 't');
  const targets = listTargets(real, others);
  const names = select.map((file) => targets.get(resolved(file)));
  if (at === -1 || names.includes(undefined)) return undefined;
  const chosen = [...new Set(names)].flatMap((name) => ['--test', name]);
  return [...others.slice(0, at + 1), ...chosen, ...others.slice(at + 1), ...args.slice(own.length)];
}

/** Integration tests by path. */
function listTargets(real, args) {
  const manifest = args.findIndex((arg) => /^--manifest-path(?:=|$)/.test(arg));
  const place =
    manifest === -1 ? [] : args.slice(manifest, manifest + (args[manifest].includes('=') ? 1 : 2));
  const toolchain = args[0]?.startsWith('+') ? [args[0]] : [];
  const { stdout } = spawnSync(
    real,
    [...toolchain, 'metadata', '--no-deps', '--offline', '--format-version', '1', ...place],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const targets = new Map();
  try {
    for (const one of JSON.parse(stdout).packages)
      for (const { kind, name, src_path } of one.targets)
        if (kind.includes('test')) targets.set(resolved(src_path), name);
  } catch {
    // Safe: without targets everything runs.
    return new Map();
  }
  return targets;
}

function resolved(path) {
  try {
    return realpathSync(path);
  } catch {
    // Safe: a missing file is not a target, so everything runs.
    return path;
  }
}

module.exports = { NO_SUCH_TARGET, selectTargets };
