/** Folders that a set-up fills with other people's code. */
const DEPENDENCY_FOLDERS: ReadonlySet<string> = new Set([
  'node_modules',
  '.venv',
  'venv',
  '.pnpm-store',
  '__pypackages__',
  'bower_components',
]);

/** Inside of those, where tools keep what they make while they run. Emptied before each run. */
export const CACHE_FOLDERS = ['.cache', '.vite', '.vite-temp', '.vitest'] as const;

/**
 * Further traces of an installation, which follow from the files that say what to install: lock files, the loader and
 * the packages of yarn, and the metadata of an editable Python package.
 */
const INSTALLED_FILES =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|uv\.lock|poetry\.lock|pdm\.lock|Pipfile\.lock|Gemfile\.lock|composer\.lock|Cargo\.lock|go\.sum|go\.work\.sum|\.pnp\.(?:cjs|js|data\.json|loader\.mjs)|\.pdm-python)$/;
const INSTALLED_FOLDERS =
  /(?:^|\/)(?:\.yarn(?:\/(?:cache|unplugged|install-state\.gz))?|vendor\/bundle|\.bundle|[^/]+\.egg-info)$/;

/** Where reports of a run go; a set-up that ran tests leaves no report for the run that counts. */
const REPORT_FOLDERS = /(?:^|\/)(?:coverage|htmlcov|\.nyc_output|test-results|test-reports|reports?)$/;

export function isDependencyFolder(path: string): boolean {
  const parts = path.split('/').filter((part) => part !== '');
  return (
    DEPENDENCY_FOLDERS.has(parts.at(-1) ?? '') &&
    !parts.slice(0, -1).some((part) => DEPENDENCY_FOLDERS.has(part))
  );
}

/** Whether a path that a set-up left holds for every tree that asks for the same dependencies. */
export function isInstalled(path: string): boolean {
  return (
    isDependencyFolder(path) ||
    INSTALLED_FOLDERS.test(path) ||
    INSTALLED_FILES.test(path.split('/').at(-1) ?? '')
  );
}

export function isReportFolder(path: string): boolean {
  return REPORT_FOLDERS.test(path);
}
