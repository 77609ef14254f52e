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
          : [`The tests of ${others.join(', ')} are not run: a module of its own needs its own \`go test\`.`],
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

export function detectCargo(view: ProjectView): DetectedVerify | undefined {
  const manifest = view.text('Cargo.toml');
  if (manifest === undefined) return undefined;
  const manifests = view.files.filter((path) => /(?:^|\/)Cargo\.toml$/.test(path));
  const needsFetch = mentions(
    view,
    manifests,
    /^\[(?:target\..*\.)?(?:workspace\.|dev-|build-)?dependencies[\].]/m,
  );
  const scope = /^\[workspace\]/m.test(manifest) ? ' --workspace' : '';
  const tests = { command: `cargo test${scope}` };
  const setup = needsFetch ? { setup: `cargo fetch${view.has('Cargo.lock') ? ' --locked' : ''}` } : {};
  const measures = view.hasProgram('cargo-llvm-cov');
  return detected(
    'cargo',
    {
      ...setup,
      tests,
      ...(measures
        ? {
            coverage: {
              command: `cargo llvm-cov${scope} --lcov --output-path lcov.info`,
              report: 'lcov.info',
            },
          }
        : {}),
    },
    {
      notes: measures
        ? []
        : [
            'Coverage is not measured: cargo-llvm-cov is not installed here (`cargo install cargo-llvm-cov`).',
          ],
      alternatives: needsFetch ? [{ tests }] : [],
    },
  );
}

export function detectMaven(view: ProjectView): DetectedVerify | undefined {
  const pom = view.text('pom.xml');
  if (pom === undefined) return undefined;
  const maven = view.has('mvnw') ? './mvnw' : 'mvn';
  const folder = 'target/surefire-reports';
  const report = /<module>/.test(pom) ? `**/${folder}` : folder;
  return detected(
    'maven',
    { tests: { command: `${maven} -B test`, report } },
    {
      notes: [
        'Coverage is not measured: GuardKit reads lcov and Cobertura reports, which Maven writes only with a plugin.',
      ],
    },
  );
}

export function detectGradle(view: ProjectView): DetectedVerify | undefined {
  const settings = view.text('settings.gradle') ?? view.text('settings.gradle.kts') ?? '';
  const hasProjects = /^[ \t]*include\b/m.test(settings);
  if (!hasProjects && !['build.gradle', 'build.gradle.kts'].some(view.has)) return undefined;
  const gradle = view.has('gradlew') ? './gradlew' : 'gradle';
  const folder = 'build/test-results/test';
  return detected(
    'gradle',
    {
      setup: `${gradle} --no-daemon testClasses`,
      tests: { command: `${gradle} --no-daemon test`, report: hasProjects ? `**/${folder}` : folder },
    },
    {
      notes: [
        'Coverage is not measured: GuardKit reads lcov and Cobertura reports, which Gradle writes only with a plugin.',
      ],
    },
  );
}

export function detectDeno(view: ProjectView): DetectedVerify | undefined {
  const config = ['deno.json', 'deno.jsonc'].find(view.has);
  if (config === undefined) return undefined;
  const command = mentions(view, [config], /"test"\s*:/) ? 'deno task test' : 'deno test';
  return detected('deno', { tests: { command } });
}

/** A Makefile that has a target for tests, with any tool behind it. */
export function detectMake(view: ProjectView): DetectedVerify | undefined {
  const file = ['GNUmakefile', 'makefile', 'Makefile'].find(view.has);
  if (file === undefined) return undefined;
  const targets = [...(view.text(file) ?? '').matchAll(/^([\w./ -][\w./ \t-]*):(?!=)/gm)].flatMap((match) =>
    (match[1] ?? '').split(/\s+/),
  );
  const target = ['test', 'tests', 'check', 'unittest', 'test-all'].find((name) => targets.includes(name));
  if (target === undefined) return undefined;
  const coverage = ['coverage', 'cover', 'cov', 'test-coverage'].find((name) => targets.includes(name));
  return detected(
    'make',
    {
      tests: { command: `make ${target}` },
      ...(coverage === undefined ? {} : { coverage: { command: `make ${coverage}` } }),
    },
    { notes: coverage === undefined ? ['Coverage is not measured: the Makefile has no target for it.'] : [] },
  );
}
