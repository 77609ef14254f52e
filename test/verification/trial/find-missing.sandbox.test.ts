import { expect, it } from 'vitest';
import { findMissing, linesToAdd, type MissingFacts } from '../../../src/verification/trial/find-missing.ts';

const NOTHING: MissingFacts = {
  output: '',
  home: '/data/room.home',
  withheld: new Set(),
  read: new Set(),
  programPath: () => undefined,
  inHome: () => false,
  ignored: [],
};

const missing = (facts: Partial<MissingFacts>) => findMissing({ ...NOTHING, ...facts });

it('variables that the project reads, or its output names, are suggested', () => {
  const withheld = new Set(['API_URL', 'REGION', 'EDITOR_THEME']);
  const found = missing({ withheld, read: new Set(['API_URL']), output: 'Error: REGION is not set' });
  expect(found.map(({ name }) => name)).toEqual(['API_URL', 'REGION']);
  expect(linesToAdd(found)).toEqual(['verify:', '  pass_env: [API_URL, REGION]']);
});

it.each([
  ['sh: 1: protoc: not found', 'protoc'],
  ['Error: spawn protoc ENOENT', 'protoc'],
  ['exec: "protoc": executable file not found in $PATH', 'protoc'],
  ["FileNotFoundError: [Errno 2] No such file or directory: 'protoc'", 'protoc'],
])('a program is named by %j', (output, name) => {
  const found = missing({ output, programPath: (one) => (one === name ? `/home/me/bin/${one}` : undefined) });
  expect(found).toMatchObject([{ kind: 'program', name }]);
  expect(missing({ output })).toEqual([]);
});

it.each([
  'getaddrinfo ENOTFOUND example.com',
  'dial tcp: lookup example.com: no such host',
  "warning You don't appear to have an internet connection. Try the --offline flag",
])('a missing network is recognized by %j', (output) => {
  expect(linesToAdd(missing({ output }))).toEqual(['sandbox:', '  network: host']);
});

it('files of the home folder and ignored files are named', () => {
  const output =
    "ENOENT: no such file or directory, open '/data/room.home/.aws/config'\ncannot read local.json";
  const found = missing({
    output,
    inHome: (path) => path === '.aws/config',
    ignored: ['.env', 'local.json', 'notes.txt'],
  });
  expect(found.map(({ kind, name }) => [kind, name])).toEqual([
    ['home-file', '.aws/config'],
    ['ignored-file', '.env'],
    ['ignored-file', 'local.json'],
  ]);
});
