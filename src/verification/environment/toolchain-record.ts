import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { GuardKitError } from '../../guardkit-error.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { isFolder, makeFolder } from '../../platform/files/make-folder.ts';
import { isInside } from '../../platform/files/path-inside.ts';
import { isProgram } from '../../platform/processes/find-program.ts';
import { runProcess } from '../../platform/processes/run-process.ts';

const toolchainRecordSchema = z.strictObject({
  /** Folders with real programs, in the order of the person's PATH. */
  folders: z.array(z.string().startsWith('/')),
  /** Further folders that these programs must be able to read. */
  readable: z.array(z.string().startsWith('/')),
  env: z.record(z.string(), z.string()),
  /** The real program behind each name of a version manager's shim. */
  programs: z.record(z.string(), z.string()),
  recorded_at: z.string(),
});

/** The toolchains that a person's command recorded for one project on this machine. */
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
  makeFolder(dirname(path), 0o700);
  writeFileAtomic(path, `${JSON.stringify(record, null, 2)}\n`, 0o600);
}

export interface ToolchainRequest {
  /** The person's own environment. */
  env: NodeJS.ProcessEnv;
  /** The project's folder: version managers choose by its files. */
  root: string;
  dataFolder: string;
  project: string;
  /** A coding agent above this process, as described by `findAgent`. */
  agent: string | undefined;
  /** Folders that everybody may write to count too, as on CI's machines (GitHub's are all such). */
  inCi?: boolean;
}

/** Folders of shims, whose real program a version manager chooses, and the query for it. */
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

/** Variables with which toolchains find their own files. */
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
 * Finds the real programs behind a person's PATH and records them for the project's runs. Only for a person's command:
 * an agent could have put any program on its own PATH.
 */
export async function recordToolchains(request: ToolchainRequest): Promise<ToolchainRecord> {
  if (request.agent !== undefined)
    throw new GuardKitError({
      code: 'toolchains.agent',
      kind: 'input',
      message: `Only a person can record toolchains: ${request.agent}.`,
      hint: 'Run `guardkit doctor --fix` in your own terminal.',
    });
  const record = await findToolchains(request);
  writeToolchainRecord(request.dataFolder, request.project, record);
  return record;
}

/** The same without recording it. */
export async function findToolchains({
  env,
  root,
  dataFolder,
  inCi = false,
}: ToolchainRequest): Promise<ToolchainRecord> {
  const outside = [root, dataFolder, tmpdir(), '/tmp', '/var/tmp'];
  const mayCount = (folder: string) => isTrustedFolder(folder, outside, inCi);
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
    // It also contains programs that are not shims, such as cargo-nextest.
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

/** A folder that a project fills or that is world-writable may contain anyone's programs. */
function isTrustedFolder(folder: string, outside: readonly string[], inCi: boolean): boolean {
  try {
    const real = realpathSync(folder);
    if (outside.some((one) => isInside(real, one) || isInside(folder, one))) return false;
    if (/\/node_modules\//.test(`${real}/`) && basename(real) === '.bin') return false;
    return inCi || (statSync(real).mode & 0o002) === 0;
  } catch {
    // Safe: a missing folder has no program.
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

/** The targets of links in a program folder: a person's own bin folder often contains only links. */
function linkedInstallations(folder: string): string[] {
  try {
    const links = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
    return links.flatMap(({ name }) => {
      const target = realpathSync(join(folder, name));
      const around = dirname(target);
      return isInside(target, folder) ? [] : [basename(around) === 'bin' ? dirname(around) : around];
    });
  } catch {
    // Safe: a dangling link starts nothing.
    return [];
  }
}
