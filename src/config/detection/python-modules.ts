import { runProcess } from '../../platform/processes/run-process.ts';

/** Modules that detection needs to know about. */
const MODULES = ['pytest', 'pytest_cov', 'coverage', 'django'];
const INTERPRETERS = ['python3', '/usr/bin/python3'];
const TIMEOUT_MS = 10_000;

const LOOK = `import importlib.util, sys
print(*[name for name in sys.argv[1:] if importlib.util.find_spec(name)])`;

/** The modules that this machine's interpreters can import. */
export async function findPythonModules(env: NodeJS.ProcessEnv): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  for (const python of INTERPRETERS) {
    try {
      // Isolated: no modules from this folder, variables or the person's files.
      const args = ['-I', '-c', LOOK, ...MODULES];
      const { exitCode, stdout } = await runProcess(python, args, { cwd: '/', env, timeoutMs: TIMEOUT_MS });
      if (exitCode === 0) found.set(python, new Set(stdout.trim().split(/\s+/)));
    } catch {
      // Safe: an interpreter that does not start has no modules.
    }
  }
  return found;
}
