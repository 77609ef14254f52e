import { posix } from 'node:path';
import type { VerifyConfig } from '../project/verify-config.ts';
import { type DetectedVerify, detected } from './detected-verify.ts';
import { foldersWith, folderView, mentions, type ProjectView, viewWithout } from './project-view.ts';
import { inSeveralFolders, MOST_FOLDERS } from './several-folders.ts';

/** Modules of Go; tests and coverage come from one run. */
export function detectGo(view: ProjectView): DetectedVerify | undefined {
  const workspace = view.text('go.work');
  if (!view.has('go.mod') && workspace === undefined) return undefined;
  if (workspace !== undefined) return ofWorkspace(view, workspace);
  const folders = foldersWith(view, 'go.mod');
  const nested = folders.filter((folder) => hasTests(view, folder, folders));
  const root = ofModule(viewWithout(view, folders));
  if (nested.length === 0) return root;
  if (nested.length > MOST_FOLDERS) return { ...root, notes: [notRun(nested)] };
  const parts = [
    { folder: '.', one: root },
    ...nested.map((folder) => {
      const inner = folders.filter((one) => one.startsWith(`${folder}/`));
      return { folder, one: ofModule(folderView(viewWithout(view, inner), folder)) };
    }),
  ];
  const commandsOf = (choose: (one: DetectedVerify) => VerifyConfig) =>
    inSeveralFolders(parts.map(({ folder, one }) => ({ folder, verify: choose(one) })));
  return detected(
    'go',
    commandsOf(({ verify }) => verify),
    {
      notes: [`The tests of ${nested.join(', ')} run separately: each is a module of its own.`],
      alternatives: [
        commandsOf(({ verify, alternatives }) => alternatives.at(-1) ?? verify),
        root.verify,
        ...root.alternatives,
      ],
    },
  );
}

function ofModule(view: ProjectView): DetectedVerify {
  const across = testsOtherPackages(view) ? ['-coverpkg=./... '] : [];
  return commandsFor(view, './...', across);
}

function ofWorkspace(view: ProjectView, workspace: string): DetectedVerify {
  const modules = [...workspace.matchAll(/^[ \t]*(?:use[ \t]+)?(\.[\w./-]*)[ \t\r]*(?:\/\/.*)?$/gm)].map(
    (match) => match[1] ?? '.',
  );
  const packages = modules
    .map((folder) => (folder === '.' ? './...' : `${folder.replace(/\/$/, '')}/...`))
    .join(' ');
  const known = new Set(modules.map((folder) => posix.normalize(folder).replace(/\/$/, '')));
  const folders = foldersWith(view, 'go.mod');
  const others = folders.filter((folder) => !known.has(folder) && hasTests(view, folder, folders));
  return { ...commandsFor(view, packages, []), notes: others.length === 0 ? [] : [notRun(others)] };
}

/** `across`: options to measure the packages that other packages' tests run. */
function commandsFor(view: ProjectView, packages: string, across: readonly string[]): DetectedVerify {
  const manifests = view.files.filter((path) => /(?:^|\/)go\.mod$/.test(path));
  const needsDownload = !view.has('vendor/modules.txt') && mentions(view, manifests, /^[ \t]*require\b/m);
  const tests = (flags: string): VerifyConfig => ({
    tests: { command: `go test ${flags}${packages}` },
  });
  const measuring = (flags: string): VerifyConfig => ({
    ...tests(`-coverprofile=cover.out ${flags}`),
    coverage: { report: 'cover.out' },
  });
  const plain = measuring('');
  const [measured = plain] = across.map(measuring);
  const setup = needsDownload ? { setup: 'go mod download' } : {};
  return detected(
    'go',
    { ...setup, ...measured },
    {
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

function notRun(folders: readonly string[]): string {
  return `The tests of ${folders.join(', ')} are not run: each separate module needs its own \`go test\`.`;
}

/** Whether a module has tests of its own, outside of the modules in it. */
function hasTests(view: ProjectView, folder: string, modules: readonly string[]): boolean {
  const inner = modules.filter((one) => one.startsWith(`${folder}/`));
  return view.files.some(
    (path) =>
      path.startsWith(`${folder}/`) &&
      path.endsWith('_test.go') &&
      !inner.some((one) => path.startsWith(`${one}/`)),
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
