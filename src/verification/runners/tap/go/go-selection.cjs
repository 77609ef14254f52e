'use strict';
// Limits `go test` to the packages with selected test files and, without flags that choose tests, to the tests that
// those files declare. Runs everything if that is uncertain.
const { spawnSync } = require('node:child_process');
const { readFileSync, realpathSync } = require('node:fs');
const { dirname, relative } = require('node:path');
const { readSelection } = require('../seal.cjs');

const SWITCHES = new Set(
  'a asan benchmem cover failfast fullpath json linkshared modcacherw msan n race short trimpath v work x'.split(
    ' ',
  ),
);
const WITH_VALUE = new Set(
  [
    'asmflags bench benchtime blockprofile blockprofilerate buildmode buildvcs compiler count covermode coverpkg',
    'coverprofile cpu cpuprofile exec fuzzminimizetime fuzztime gccgoflags gcflags installsuffix ldflags memprofile',
    'memprofilerate mod modfile mutexprofile mutexprofilefraction o outputdir p parallel pgo pkgdir run shuffle skip',
    'tags timeout toolexec trace vet',
  ]
    .join(' ')
    .split(' '),
);
/** Flags that decide which packages a pattern means. */
const FOR_LIST = new Set(['mod', 'modfile', 'tags']);
/** Flags that choose tests themselves or run something else. */
const CHOOSING = new Set(['run', 'skip', 'bench', 'fuzz']);
const DECLARED = /\bfunc\s+((?:Test|Example|Fuzz)[\p{L}\p{N}_]*)\s*\(/gu;

/** The arguments of `go test` with the selected packages instead of the patterns. */
function selectPackages(real, args, folder) {
  const files = readSelection(folder);
  if (files === undefined || args[0] !== 'test') return args;
  const parsed = parse(args.slice(1));
  if (parsed === undefined || parsed.patterns.length === 0) return args;
  const wanted = new Set(
    files.filter((file) => file.endsWith('_test.go')).map((file) => resolved(dirname(file))),
  );
  const known = listFolders(real, parsed);
  if (wanted.size === 0 || ![...wanted].every((path) => known.has(path))) return args;
  const here = resolved(process.cwd());
  const packages = [...wanted].sort().map((path) => `./${relative(here, path)}`);
  return ['test', ...parsed.flags, ...selectTests(parsed, files), ...packages, ...parsed.rest];
}

/** A flag that runs only the tests of the selected files; none if one of them is missing or declares no test. */
function selectTests({ names }, files) {
  if (names.some((name) => CHOOSING.has(name))) return [];
  const declared = files.filter((file) => file.endsWith('_test.go')).map(declaredTests);
  if (declared.some((tests) => tests.length === 0)) return [];
  return [`-run=^(?:${[...new Set(declared.flat())].sort().join('|')})$`];
}

function declaredTests(file) {
  try {
    return [...readFileSync(file, 'utf8').matchAll(DECLARED)].map(([, name]) => name);
  } catch {
    // Safe: without the names of its tests, all tests run.
    return [];
  }
}

/** Undefined if it is uncertain which arguments are packages. */
function parse(args) {
  const flags = [];
  const names = [];
  const forList = [];
  const patterns = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at];
    const [, name, value] = /^--?(?:test\.)?([\w-]+)(=.*)?$/s.exec(arg) ?? [];
    if (name === 'args') return { flags, names, forList, patterns, rest: args.slice(at) };
    if (name === undefined) {
      if (!/^\.(?:\/|$)/.test(arg)) return undefined;
      patterns.push(arg);
      continue;
    }
    const parts = [arg];
    if (value === undefined && WITH_VALUE.has(name)) parts.push(args[++at] ?? '');
    else if (value === undefined && !SWITCHES.has(name)) return undefined;
    flags.push(...parts);
    names.push(name);
    if (FOR_LIST.has(name)) forList.push(...parts);
  }
  return { flags, names, forList, patterns, rest: [] };
}

function listFolders(real, { forList, patterns }) {
  const { stdout } = spawnSync(real, ['list', '-e', ...forList, '-f', '{{.Dir}}', '--', ...patterns], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return new Set((stdout ?? '').split('\n').filter(Boolean).map(resolved));
}

function resolved(path) {
  try {
    return realpathSync(path);
  } catch {
    // Safe: a missing folder is not a package, so everything runs.
    return path;
  }
}

module.exports = { selectPackages };
