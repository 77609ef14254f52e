import { escapePattern } from '../../domain/escape-pattern.ts';
import { detectGo } from '../detection/detect-go.ts';
import { detectGradle, detectMaven } from '../detection/detect-java.ts';
import { detectNode } from '../detection/detect-node.ts';
import {
  detectBats,
  detectCmake,
  detectDeno,
  detectDotnet,
  detectElixir,
  detectMake,
  detectMeson,
  detectPerl,
  detectPhp,
  detectRuby,
} from '../detection/detect-other-languages.ts';
import { detectPython } from '../detection/detect-python.ts';
import { detectCargo } from '../detection/detect-rust.ts';
import type { DetectedVerify } from '../detection/detected-verify.ts';
import {
  foldersWith,
  folderView,
  mentions,
  type ProjectView,
  projectView,
  viewWithout,
} from '../detection/project-view.ts';
import { inFolder, inSeveralFolders, MOST_FOLDERS } from '../detection/several-folders.ts';
import type { VerifyConfig } from './verify-config.ts';

export type { DetectedVerify } from '../detection/detected-verify.ts';

/** A Makefile comes last: it usually calls one of the others, whose tests GuardKit can name. */
const DETECTORS = [
  detectNode,
  detectPython,
  detectGo,
  detectCargo,
  detectMaven,
  detectGradle,
  detectDeno,
  detectPhp,
  detectRuby,
  detectElixir,
  detectDotnet,
  detectCmake,
  detectMeson,
  detectPerl,
  detectBats,
  detectMake,
];

/** Files that detection reads, for callers that must fetch them. */
export function isDetectionFile(path: string): boolean {
  return (
    /(?:^|\/)(?:package\.json|Cargo\.toml|go\.(?:mod|work)|conftest\.py|pyproject\.toml|setup\.(?:py|cfg)|requirements[\w.-]*\.(?:txt|in)|(?:tox|pytest)\.ini|Pipfile|(?:manage|noxfile)\.py|[Mm]akefile|CMakeLists\.txt|meson\.build|pom\.xml|build\.gradle(?:\.kts)?|composer\.json|Gemfile|mix\.exs)$/.test(
      path,
    ) ||
    /(?:^|[/_.-])tests?[/_.-]|\.bats$/.test(path) ||
    /^requirements\//.test(path) ||
    !path.includes('/')
  );
}

/** Detects the set-up and test commands from the project's files. A person confirms them. */
export function detectVerify(
  root: string,
  path: string | undefined = process.env.PATH,
): DetectedVerify | undefined {
  return detectIn(projectView({ root, path }));
}

export function detectIn(view: ProjectView): DetectedVerify | undefined {
  const root = atRoot(view);
  if (root === undefined) return inSubfolders(view);
  const parts = ownProjects(view);
  if (parts.length === 0) return root;
  if (!isPython(root) || PYTHON_MANIFESTS.some(view.has)) return withOtherProjects(root, view, parts);
  // Only the names of its tests make the root a Python project, and they may all belong to a project in a subfolder.
  const rest = atRoot(
    viewWithout(
      view,
      parts.map(({ folder }) => folder),
    ),
  );
  if (rest === undefined) return ofFolders(view, parts);
  return parts.some(({ one }) => isPython(one))
    ? root
    : ofFolders(view, [{ folder: '.', one: rest }, ...parts]);
}

/** A hint for the person if nothing is detected. */
export function undetectedHint(view: ProjectView): string {
  const isGo = view.files.some((path) => path.endsWith('_test.go')) && !view.files.some(isGoModule);
  return isGo
    ? 'Tests: not detected, because the Go files have no go.mod; create it with `go mod init` and run `guardkit init` again'
    : 'Tests: not detected; fill in verify: in .guardkit/config.yaml';
}

function isGoModule(path: string): boolean {
  return /(?:^|\/)go\.(?:mod|work)$/.test(path);
}

function atRoot(view: ProjectView): DetectedVerify | undefined {
  for (const detect of DETECTORS) {
    const found = detect(view);
    if (found) return withMissing(view, found);
  }
  return undefined;
}

/** With a note on each missing program. Otherwise only a trial would show it, by failing. */
function withMissing(view: ProjectView, found: DetectedVerify): DetectedVerify {
  const notes = missingPrograms(view, found).map(
    (name) => `${name} is not installed here, and the commands need it.`,
  );
  return { ...found, notes: [...notes, ...found.notes] };
}

function missingPrograms(view: ProjectView, { verify }: DetectedVerify): string[] {
  const { setup, tests } = verify;
  const commands = [typeof setup === 'string' ? setup : '', tests?.command ?? ''];
  const programs = commands.map((text) => text.split(' ').find((word) => !/^\w+=/.test(word)) ?? '');
  return [...new Set(programs)].filter((name) => /^[\w.-]+$/.test(name) && !view.hasProgram(name));
}

const PYTHON_MANIFESTS = [
  ...['pyproject.toml', 'setup.py', 'setup.cfg', 'tox.ini', 'pytest.ini', 'requirements.txt', 'Pipfile'],
  ...['conftest.py', 'noxfile.py', 'manage.py'],
];
const MANIFESTS = [
  ...['package.json', 'pyproject.toml', 'setup.py', 'requirements.txt', 'go.mod', 'Cargo.toml', 'pom.xml'],
  ...['build.gradle', 'build.gradle.kts', 'composer.json', 'Gemfile', 'mix.exs'],
];
/** In a folder of the root, or of a folder for projects. */
const MANIFEST = new RegExp(
  `^((?:(?:apps|services|packages|projects|libs|modules)/)?[\\w.-]+)/(?:${MANIFESTS.map(escapePattern).join('|')})$`,
);
const NOT_OWN =
  /^(?:docs?|documentation|website|site|examples?|demos?|samples?|templates?|fixtures?|testdata|tests?|e2e|bench(?:marks?)?|scripts?|tools?|vendor|third_party|\..*)$/;

/** For a repository whose projects are in subfolders, also of several languages. */
function inSubfolders(view: ProjectView): DetectedVerify | undefined {
  return severalOf(view, 'go.mod', detectGo) ?? severalOf(view, 'Cargo.toml', detectCargo) ?? inFolders(view);
}

/** A project in a subfolder. */
interface Part {
  folder: string;
  one: DetectedVerify;
}

function inFolders(view: ProjectView): DetectedVerify | undefined {
  const parts = projectsIn(view);
  const own = parts.filter(isOwn);
  // The only one may be anywhere.
  return ofFolders(view, own.length === 0 && parts.length === 1 ? parts : own);
}

function projectsIn(view: ProjectView): Part[] {
  const folders = [...new Set(view.files.flatMap((path) => MANIFEST.exec(path)?.[1] ?? []))];
  const outer = folders.filter((folder) => !folders.some((one) => folder.startsWith(`${one}/`)));
  if (outer.length > MOST_FOLDERS) return [];
  return outer.flatMap((folder) => {
    const one = atRoot(folderView(view, folder));
    return one ? [{ folder, one }] : [];
  });
}

function ownProjects(view: ProjectView): Part[] {
  return projectsIn(view).filter(isOwn);
}

/** Not an example, the documentation or a tool. */
function isOwn({ folder }: Part): boolean {
  return !folder.split('/').some((name) => NOT_OWN.test(name));
}

function isPython({ kind }: DetectedVerify): boolean {
  return kind === 'pytest' || kind === 'unittest' || kind === 'django';
}

/** With a note on the projects in subfolders whose tests the root's commands cannot run. */
function withOtherProjects(root: DetectedVerify, view: ProjectView, parts: readonly Part[]): DetectedVerify {
  const present = MANIFESTS.filter(view.has);
  if (present.length === 0) return root;
  const isOther = ({ folder }: Part) =>
    !present.some((name) => view.has(`${folder}/${name}`)) &&
    !mentions(view, [...present, 'Makefile'], folder);
  const others = parts.filter(isOther).flatMap(({ folder, one }) => inFolder(one.verify, folder).tests ?? []);
  if (others.length === 0) return root;
  const commands = others.map(({ command }) => `\`${command}\``).join(', ');
  const note = `These commands do not run all tests; the others are run by ${commands}.`;
  return { ...root, leftOut: [note] };
}

/** If the repository has no other projects. Crates inside another are left to it. */
function severalOf(
  view: ProjectView,
  manifest: string,
  detect: (view: ProjectView) => DetectedVerify | undefined,
): DetectedVerify | undefined {
  const folders = foldersWith(view, manifest);
  if (folders.length === 0 || folders.length > MOST_FOLDERS) return undefined;
  if (ownProjects(view).some(({ folder }) => !view.has(`${folder}/${manifest}`))) return undefined;
  const outer = folders.filter((folder) => !folders.some((one) => folder.startsWith(`${one}/`)));
  const found = outer.flatMap((folder) => {
    const inner = folderView(view, folder);
    const one = detect(inner);
    return one ? [{ folder, one: withMissing(inner, one) }] : [];
  });
  return ofFolders(view, found);
}

/** All of them, without those whose programs are missing here if others can run. */
function ofFolders(view: ProjectView, parts: readonly Part[]): DetectedVerify | undefined {
  if (parts.length === 0) return undefined;
  const missingOf = ({ one }: Part) => missingPrograms(view, one);
  const complete = parts.filter((part) => missingOf(part).length === 0);
  const found = complete.length > 0 ? complete : parts;
  const leftOut = parts
    .filter((part) => !found.includes(part))
    .map(
      (part) =>
        `The tests of ${part.folder} are left out: ${missingOf(part).join(', ')} is not installed here.`,
    );
  const commandsOf = (choose: (one: DetectedVerify) => VerifyConfig) =>
    inSeveralFolders(found.map(({ folder, one }) => ({ folder, verify: choose(one) })));
  const most = Math.max(...found.map(({ one }) => one.alternatives.length));
  return {
    kind: [...new Set(found.map(({ one }) => one.kind))].join(', '),
    verify: commandsOf(({ verify }) => verify),
    notes: [...new Set(found.flatMap((part) => notesOf(part, found.length)))],
    ...(leftOut.length > 0 ? { leftOut } : {}),
    alternatives: Array.from({ length: most }, (_, at) =>
      commandsOf(({ verify, alternatives }) => alternatives[at] ?? alternatives.at(-1) ?? verify),
    ),
  };
}

/** With the folder in front, if the same note could be meant for another. */
function notesOf({ folder, one }: Part, parts: number): string[] {
  return parts === 1 || folder === '.' ? one.notes : one.notes.map((note) => `${folder}: ${note}`);
}
