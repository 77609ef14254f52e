import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from '../../platform/files/file-trees.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import type { Repository } from '../../platform/git/repository.ts';
import { isProgram } from '../../platform/processes/find-program.ts';
import { runCommand } from '../../platform/processes/run-command.ts';
import { sealedEnvironment } from '../environment/sealed-environment.ts';
import { findMissing, type Missing } from './find-missing.ts';
import type { TriedStep } from './try-commands.ts';

export interface NativeRequest {
  repository: Repository;
  home: string;
  env: NodeJS.ProcessEnv;
  project: string;
  command: string;
  /** The failed sealed run and its home folder. */
  sealed: TriedStep;
  sealedHome: string;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

export interface NativeComparison {
  native: TriedStep;
  /** Empty if both fail or nothing explains the difference. */
  missing: Missing[];
}

/** Never relevant: every shell sets them, or a sealed run has its own. */
const USUAL =
  /^(?:PATH|HOME|PWD|OLDPWD|SHLVL|_|SHELL|USER|LOGNAME|HOSTNAME|TERM|TERM_PROGRAM.*|COLORTERM|LANG|LANGUAGE|LC_.*|TZ|TMPDIR|TEMP|TMP|CI|NO_COLOR|FORCE_COLOR|EDITOR|VISUAL|PAGER|DISPLAY|XDG_.*|SSH_.*|GPG_.*|DBUS_.*|GUARDKIT_.*|GIT_.*|NPM_.*|npm_.*|INIT_CWD|NODE_OPTIONS|NODE_PATH|PYTHON.*|LD_.*|BASH.*)$/;

/** Runs the command in the person's checkout and reports what a sealed run lacks if only that one fails. */
export async function compareWithNative(request: NativeRequest): Promise<NativeComparison> {
  const { repository, env, home, project, sealed } = request;
  const native = await runNatively(request.command, { ...request, root: repository.root }, request.timeoutMs);
  if (native.exit !== 0) return { native, missing: [] };
  const given = sealedEnvironment({ env, dataFolder: home, project, verify: {}, home: '/', sandboxed: true });
  const withheld = Object.keys(env).filter((name) => !USUAL.test(name) && given.env[name] === undefined);
  const person = env.HOME ?? homedir();
  const folders = (env.PATH ?? '').split(':').filter((folder) => folder.startsWith('/'));
  return {
    native,
    missing: findMissing({
      output: sealed.tail,
      home: request.sealedHome,
      withheld: new Set(withheld),
      read: await variablesRead(repository),
      programPath: (name) => folders.map((folder) => join(folder, name)).find(isProgram),
      inHome: (path) => existsSync(join(person, path)),
      ignored: await ignoredFiles(repository),
    }),
  };
}

const READS = [
  'process\\.env\\.[A-Za-z_][A-Za-z0-9_]*',
  'process\\.env\\[.[A-Za-z_][A-Za-z0-9_]*',
  'import\\.meta\\.env\\.[A-Za-z_][A-Za-z0-9_]*',
  'environ(\\.get\\(|\\[).[A-Za-z_][A-Za-z0-9_]*',
  'getenv\\(.[A-Za-z_][A-Za-z0-9_]*',
  '(Getenv|LookupEnv)\\(.[A-Za-z_][A-Za-z0-9_]*',
  'env::var\\(.[A-Za-z_][A-Za-z0-9_]*',
];

/** Variables that tracked files read by name. */
async function variablesRead(repository: Repository): Promise<Set<string>> {
  const found = await repository.attempt(['grep', '--no-color', '-hoIE', READS.join('|')]);
  const names = found.stdout.split('\n').flatMap((line) => /([A-Za-z_][A-Za-z0-9_]*)$/.exec(line)?.[1] ?? []);
  return new Set(names);
}

async function ignoredFiles(repository: Repository): Promise<string[]> {
  const listed = await repository.attempt([
    'ls-files',
    '--others',
    '--ignored',
    '--exclude-standard',
    '--directory',
    '-z',
  ]);
  return listed.stdout.split('\0').filter((path) => path !== '' && !path.endsWith('/'));
}

/** Runs a command in the person's own checkout and environment, without GuardKit. */
async function runNatively(
  command: string,
  context: { root: string; home: string; env: NodeJS.ProcessEnv; signal: AbortSignal | undefined },
  timeoutMs: number,
): Promise<TriedStep> {
  const folder = join(context.home, 'runs', `NATIVE-${randomBytes(6).toString('hex')}`);
  makeFolder(folder, 0o700);
  try {
    const { exitCode, timedOut, durationMs, tail } = await runCommand(command, {
      cwd: context.root,
      // Runners would watch for changes instead of ending if they saw a terminal.
      env: { ...context.env, CI: '1' },
      timeoutMs,
      log: { path: join(folder, 'output.log'), maxBytes: 1024 * 1024 },
      ...(context.signal ? { signal: context.signal } : {}),
    });
    return { command, durationMs, exit: exitCode, timedOut, tail };
  } finally {
    removeTree(folder);
  }
}
