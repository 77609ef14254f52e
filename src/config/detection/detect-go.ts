import { posix } from 'node:path';
import type { VerifyConfig } from '../project/verify-config.ts';
import { type DetectedVerify, detected } from './detected-verify.ts';
import { mentions, type ProjectView } from './project-view.ts';

/** Modules of Go; tests and coverage come from one run. */
export function detectGo(view: ProjectView): DetectedVerify | undefined {
  const workspace = view.text('go.work');
  if (!view.has('go.mod') && workspace === undefined) return undefined;
  const modules =
    workspace === undefined
      ? ['.']
      : [...workspace.matchAll(/^[ \t]*(?:use[ \t]+)?(\.[\w./-]*)[ \t\r]*(?:\/\/.*)?$/gm)].map(
          (match) => match[1] ?? '.',
        );
  const packages = modules
    .map((folder) => (folder === '.' ? './...' : `${folder.replace(/\/$/, '')}/...`))
    .join(' ');
  const needsDownload =
    !view.has('vendor/modules.txt') &&
    mentions(
      view,
      view.files.filter((path) => /(?:^|\/)go\.mod$/.test(path)),
      /^[ \t]*require\b/m,
    );
  const tests = (flags: string): VerifyConfig => ({
    tests: { command: `go test ${flags}${packages}` },
  });
  const measuring = (flags: string): VerifyConfig => ({
    ...tests(`-coverprofile=cover.out ${flags}`),
    coverage: { report: 'cover.out' },
  });
  const plain = measuring('');
  const across = workspace === undefined && testsOtherPackages(view) ? [measuring('-coverpkg=./... ')] : [];
  const [measured = plain] = across;
  const setup = needsDownload ? { setup: 'go mod download' } : {};
  const others = otherModules(view, modules);
  return detected(
    'go',
    { ...setup, ...measured },
    {
      notes:
        others.length === 0
          ? []
          : [
              `The tests of ${others.join(', ')} are not run: each separate module needs its own \`go test\`.`,
            ],
      alternatives: [
        // Modules may be in this machine's cache, with no network to download them from.
        ...(needsDownload ? [measured] : []),
        // Measuring all packages also starts them, which some do not survive.
        ...(across.length > 0 ? [{ ...setup, ...plain }] : []),
        { ...setup, ...tests('') },
      ],
    },
  );
}

/** Folders of modules with tests that a command for some modules does not run. */
function otherModules(view: ProjectView, modules: readonly string[]): string[] {
  const known = new Set(modules.map((folder) => posix.normalize(folder).replace(/\/$/, '')));
  return view.files
    .filter((path) => /\/go\.mod$/.test(path) && !/(?:^|\/)(?:vendor|testdata|[_.][^/]*)\//.test(path))
    .map((path) => posix.dirname(path))
    .filter((folder) => !known.has(folder))
    .filter((folder) =>
      view.files.some((path) => path.startsWith(`${folder}/`) && path.endsWith('_test.go')),
    );
}

/** More packages than this take too long: each test binary is built with all of them. */
const MOST_PACKAGES = 40;

/** Whether packages without tests exist, which tests of other packages probably cover. */
function testsOtherPackages(view: ProjectView): boolean {
  const files = view.files.filter(
    (path) => path.endsWith('.go') && !/(?:^|\/)(?:vendor|testdata|_?examples?|[_.][^/]*)\//.test(path),
  );
  const folders = (paths: readonly string[]) => new Set(paths.map((path) => posix.dirname(path)));
  const tested = folders(files.filter((path) => path.endsWith('_test.go')));
  const sources = folders(files.filter((path) => !path.endsWith('_test.go')));
  return (
    tested.size > 0 && sources.size <= MOST_PACKAGES && [...sources].some((folder) => !tested.has(folder))
  );
}
