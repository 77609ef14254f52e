import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { VerifyConfig } from './verify-config.ts';

export interface DetectedVerify {
  /** What it was recognised by. */
  kind: string;
  verify: VerifyConfig;
}

const packageSchema = z.object({ scripts: z.record(z.string(), z.string()).optional() });

/** What npm writes into a new package; it fails, and tests nothing. */
const PLACEHOLDER = /no test specified/;

/** How a project is set up and tested, as far as its files tell. A person confirms it. */
export function detectVerify(root: string): DetectedVerify | undefined {
  const has = (file: string) => existsSync(join(root, file));
  // A package.json without tests may only hold tools of a project in another language.
  const node = has('package.json') ? detectNode(root, has) : undefined;
  if (node) return node;
  if (
    ['pytest.ini', 'conftest.py', 'tests/conftest.py'].some(has) ||
    mentions(root, 'pyproject.toml', 'pytest')
  ) {
    const setup = has('uv.lock')
      ? 'uv sync'
      : has('requirements.txt')
        ? 'python -m pip install -r requirements.txt'
        : undefined;
    return {
      kind: 'pytest',
      verify: { ...(setup ? { setup } : {}), tests: { command: 'python -m pytest' } },
    };
  }
  if (has('go.mod'))
    return { kind: 'go', verify: { setup: 'go mod download', tests: { command: 'go test ./...' } } };
  if (has('Cargo.toml'))
    return { kind: 'cargo', verify: { setup: 'cargo fetch', tests: { command: 'cargo test' } } };
  if (has('pom.xml')) {
    const maven = has('mvnw') ? './mvnw' : 'mvn';
    return { kind: 'maven', verify: { tests: { command: `${maven} -B test` } } };
  }
  return undefined;
}

function detectNode(root: string, has: (file: string) => boolean): DetectedVerify | undefined {
  const scripts = readScripts(root);
  if (scripts.test === undefined || PLACEHOLDER.test(scripts.test)) return undefined;
  const [kind, setup] = has('pnpm-lock.yaml')
    ? ['pnpm', 'pnpm install --frozen-lockfile']
    : has('yarn.lock')
      ? ['yarn', has('.yarnrc.yml') ? 'yarn install --immutable' : 'yarn install --frozen-lockfile']
      : ['npm', has('package-lock.json') ? 'npm ci' : 'npm install'];
  return {
    kind,
    verify: {
      setup,
      tests: { command: `${kind} test` },
      ...(scripts.coverage === undefined ? {} : { coverage: { command: `${kind} run coverage` } }),
    },
  };
}

function readScripts(root: string): Record<string, string> {
  try {
    return packageSchema.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).scripts ?? {};
  } catch {
    // Safe: a package.json that cannot be read tells nothing, and the person is shown that nothing was found.
    return {};
  }
}

function mentions(root: string, file: string, word: string): boolean {
  try {
    return readFileSync(join(root, file), 'utf8').includes(word);
  } catch {
    // Safe: a file that cannot be read tells nothing, and the person is shown that nothing was found.
    return false;
  }
}
