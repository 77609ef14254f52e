import { RUNNERS } from '../runner-configs.ts';

/** Packages that run tests, compile them or decide whether they pass. */
const JUDGING_PACKAGES: ReadonlySet<string> = new Set([
  ...[
    'vitest',
    'jest',
    'mocha',
    'ava',
    'tap',
    'tape',
    'jasmine',
    'karma',
    'wtr',
    'c8',
    'nyc',
    'playwright',
    'cypress',
  ].flatMap((name) => RUNNERS[name]?.words ?? []),
  '@playwright/test',
  'jest-circus',
  'jest-jasmine2',
  'jest-runtime',
  'jest-runner',
  'jest-matcher-utils',
  'jest-snapshot',
  'jest-each',
  'babel-jest',
  '@swc/jest',
  'ts-node',
  'tsx',
  'vite-node',
  '@babel/register',
  '@swc-node/register',
  'esbuild-register',
  'expect',
  'chai',
  'deep-eql',
  'chai-as-promised',
  'should',
  'unexpected',
  'power-assert',
  'sinon',
  '@hapi/code',
  '@hapi/lab',
  '@testing-library/jest-dom',
]);
const JUDGING_SCOPES = /^@(?:vitest|jest|tapjs)\//;

export function isJudge(name: string): boolean {
  return JUDGING_PACKAGES.has(name) || JUDGING_SCOPES.test(name);
}
