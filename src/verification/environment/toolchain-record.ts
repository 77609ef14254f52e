import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { GuardKitError } from '../../guardkit-error.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { isFolder } from '../../platform/files/make-folder.ts';
import { runProcess } from '../../platform/processes/run-process.ts';
import { isProgram } from '../../platform/sandbox/is-program.ts';
import { isInside } from '../../platform/sandbox/path-inside.ts';

const toolchainRecordSchema = z.strictObject({
  /** Folders with real programs, in the order of the person's PATH. */
  folders: z.array(z.string().startsWith('/')),
  /** Further folders that these programs need to be read. */
  readable: z.array(z.string().startsWith('/')),
  env: z.record(z.string(), z.string()),
  /** The real program behind each name that a version manager answers to. */
  programs: z.record(z.string(), z.string()),
  recorded_at: z.string(),
});

/** The toolchains that a person's command found for one project on this machine. */
export type ToolchainRecord = z.infer<typeof toolchainRecordSchema>;

export function toolchainRecordPath(home: string, project: string): string {
  return join(home, 'toolchains', `${project.replace(/[^\w.-]/g, '_')}.json`);
}

export function readToolchainRecord(home: string, project: string): ToolchainRecord | undefined {
  try {
    return toolchainRecordSchema.parse(JSON.parse(readFileSync(toolchainRecordPath(home, project), 'utf8')));
  } catch {
    // Safe: without a record only the system's folders and known installations count.
    return undefined;
  }
}

export function writeToolchainRecord(home: string, project: string, record: ToolchainRecord): void {
  const path = toolchainRecordPath(home, project);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileAtomic(path, `${JSON.stringify(record, null, 2)}\n`, 0o600);
}

export interface ToolchainRequest {
  /** The person's own environment. */
  env: NodeJS.ProcessEnv;
  /** The project's folder: version managers choose by the files in it. */
  root: string;
  dataFolder: string;
  project: string;
  /** How a coding agent shows above this process, as `findAgent` tells it. */
  agent: string | undefined;
}

/** Folders of programs that start another program, which a version manager chooses; and how it is asked for that. */
const SHIMS: readonly { folder: RegExp; ask: (folder: string, tool: string) => string[] }[] = [
  {
    folder: /\/\.?(?:pyenv|rbenv|nodenv|goenv|phpenv|jenv)(?:\/plugins\/[^/]+)?\/shims$/,
    ask: askEnvManager,
  },
  { folder: /\/\.?asdf(?:-data)?\/shims$/, ask: (_, tool) => ['asdf', 'which', tool] },
  { folder: /\/mise\/shims$/, ask: (_, tool) => ['mise', 'which', tool] },
  { folder: /\/\.?volta\/bin$/, ask: (_, tool) => ['volta', 'which', tool] },
  { folder: /\/\.cargo\/bin$/, ask: (_, tool) => ['rustup', 'which', tool] },
];

/** Programs that choose the rest of their toolchain. */
const TOOLS = [
  ...['node', 'npm', 'npx', 'corepack', 'pnpm', 'yarn', 'bun', 'deno'],
  ...['python3', 'python', 'pip', 'pytest', 'uv', 'poetry', 'tox', 'hatch', 'pdm'],
  ...['go', 'cargo', 'rustc', 'ruby', 'bundle', 'java', 'mvn', 'gradle', 'php', 'composer', 'elixir', 'erl'],
];

/** Variables by which toolchains find their own files. */
const FOLDER_VARIABLES = [
  'JAVA_HOME',
  'GOROOT',
  'RUSTUP_HOME',
  'DOTNET_ROOT',
  'ANDROID_HOME',
  'ANDROID_SDK_ROOT',
];

const ASK_TIMEOUT_MS = 20_000;

/**
 * Finds the real programs behind a person's PATH and keeps them for the project's runs. Only for a person's command: an
 * agent could have put any program on its own PATH.
 */
export async function recordToolchains(request: ToolchainRequest): Promise<ToolchainRecord> {
  if (request.agent !== undefined)
    throw new GuardKitError({
      code: 'toolchains.agent',
      kind: 'input',
      message: `Toolchains can be recorded by a person only: ${request.agent}.`,
      hint: 'Run `guardkit doctor --fix` in your own terminal.',
    });
  const record = await findToolchains(request);
  writeToolchainRecord(request.dataFolder, request.project, record);
  return record;
}

/** The same, without keeping it. */
export async function findToolchains({ env, root, dataFolder }: ToolchainRequest): Promise<ToolchainRecord> {
  const mayCount = (folder: string) =>
    isTrustedFolder(folder, [root, dataFolder, tmpdir(), '/tmp', '/var/tmp']);
  const programs: Record<string, string> = {};
  const folders: string[] = [];
  for (const folder of (env.PATH ?? '').split(':').filter((path) => isAbsolute(path) && mayCount(path))) {
    const shim = SHIMS.find((one) => one.folder.test(folder));
    if (!shim) {
      folders.push(folder);
      continue;
    }
    for (const tool of TOOLS.filter((name) => isProgram(join(folder, name)))) {
      const real = await askFor(shim.ask(folder, tool), env, root);
      if (real === undefined || !mayCount(dirname(real))) continue;
      programs[tool] ??= real;
      folders.push(dirname(real));
    }
    // It also holds programs that are no shims, such as cargo-nextest.
    if (folder.endsWith('/.cargo/bin')) folders.push(folder);
  }
  const named = FOLDER_VARIABLES.flatMap((name) => {
    const value = env[name];
    return value !== undefined && isAbsolute(value) && isFolder(value) && mayCount(value)
      ? [[name, value]]
      : [];
  });
  const unique = [...new Set(folders)];
  for (const tool of TOOLS) {
    const found = unique.map((folder) => join(folder, tool)).find(isProgram);
    if (found !== undefined) programs[tool] = found;
  }
  return {
    folders: unique,
    readable: [
      ...new Set([...unique.flatMap(linkedInstallations), ...named.map(([, value]) => value ?? '')]),
    ].filter((folder) => folder !== '' && mayCount(folder)),
    env: Object.fromEntries(named) as Record<string, string>,
    programs,
    recorded_at: new Date().toISOString(),
  };
}

/** A folder that a project fills, or that everybody can write to, holds programs of anybody's. */
function isTrustedFolder(folder: string, outside: readonly string[]): boolean {
  try {
    const real = realpathSync(folder);
    if (outside.some((one) => isInside(real, one) || isInside(folder, one))) return false;
    if (/\/node_modules\//.test(`${real}/`) && basename(real) === '.bin') return false;
    return (statSync(real).mode & 0o002) === 0;
  } catch {
    // Safe: a folder that is not there holds no program.
    return false;
  }
}

function askEnvManager(folder: string, tool: string): string[] {
  const manager = /\/\.?((?:py|rb|node|go|php|j)env)\//.exec(folder)?.[1] ?? 'pyenv';
  return [manager, 'which', tool];
}

async function askFor(
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<string | undefined> {
  try {
    const { exitCode, stdout } = await runProcess(program, args, { cwd, env, timeoutMs: ASK_TIMEOUT_MS });
    const path = stdout.trim().split('\n').at(-1) ?? '';
    return exitCode === 0 && isAbsolute(path) && isProgram(path) ? path : undefined;
  } catch {
    // Safe: without an answer the program does not count.
    return undefined;
  }
}

/** Where the links in a folder of programs lead: a person's own bin folder often holds nothing else. */
function linkedInstallations(folder: string): string[] {
  try {
    const links = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
    return links.flatMap(({ name }) => {
      const target = realpathSync(join(folder, name));
      const around = dirname(target);
      return isInside(target, folder) ? [] : [basename(around) === 'bin' ? dirname(around) : around];
    });
  } catch {
    // Safe: a link that leads nowhere starts nothing.
    return [];
  }
}
