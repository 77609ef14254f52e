import { posix } from 'node:path';
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
import { foldersWith, folderView, type ProjectView, projectView } from '../detection/project-view.ts';
import { inSeveralFolders, MOST_FOLDERS } from '../detection/several-folders.ts';
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
    /(?:^|\/)(?:package\.json|Cargo\.toml|go\.(?:mod|work)|conftest\.py|pyproject\.toml|setup\.(?:py|cfg)|[Mm]akefile|CMakeLists\.txt|meson\.build)$/.test(
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
  return atRoot(view) ?? inSubfolders(view);
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
    if (found) return { ...found, notes: [...missingPrograms(view, found), ...found.notes] };
  }
  return undefined;
}

/** A note on each missing program. Otherwise only a trial would show it, by failing. */
function missingPrograms(view: ProjectView, { verify }: DetectedVerify): string[] {
  const { setup, tests } = verify;
  const commands = [typeof setup === 'string' ? setup : '', tests?.command ?? ''];
  const programs = commands.map((text) => text.split(' ').find((word) => !/^\w+=/.test(word)) ?? '');
  return [...new Set(programs)]
    .filter((name) => /^[\w.-]+$/.test(name) && !view.hasProgram(name))
    .map((name) => `${name} is not installed here, and the commands need it.`);
}

const MANIFEST =
  /^([\w.-]+)\/(?:package\.json|pyproject\.toml|setup\.py|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?)$/;

/** For a repository whose projects are in subfolders: one of any kind, or several modules of Go or crates of Rust. */
function inSubfolders(view: ProjectView): DetectedVerify | undefined {
  return (
    severalOf(view, 'go.mod', detectGo) ?? severalOf(view, 'Cargo.toml', detectCargo) ?? inOneFolder(view)
  );
}

function inOneFolder(view: ProjectView): DetectedVerify | undefined {
  const folders = new Set(view.files.flatMap((path) => MANIFEST.exec(path)?.[1] ?? []));
  const found = [...folders].flatMap((folder) => {
    const one = atRoot(folderView(view, folder));
    return one ? [{ folder, one }] : [];
  });
  return found.length === 1 ? ofFolders(found) : undefined;
}

/** If the repository has no other projects. Crates inside another are left to it. */
function severalOf(
  view: ProjectView,
  manifest: string,
  detect: (view: ProjectView) => DetectedVerify | undefined,
): DetectedVerify | undefined {
  const isOther = (path: string) => MANIFEST.test(path) && posix.basename(path) !== manifest;
  const folders = foldersWith(view, manifest);
  if (folders.length === 0 || folders.length > MOST_FOLDERS || view.files.some(isOther)) return undefined;
  const outer = folders.filter((folder) => !folders.some((one) => folder.startsWith(`${one}/`)));
  const found = outer.flatMap((folder) => {
    const inner = folderView(view, folder);
    const one = detect(inner);
    return one ? [{ folder, one: { ...one, notes: [...missingPrograms(inner, one), ...one.notes] } }] : [];
  });
  return found.length === 0 ? undefined : ofFolders(found);
}

function ofFolders(found: readonly { folder: string; one: DetectedVerify }[]): DetectedVerify | undefined {
  const [first] = found;
  if (first === undefined) return undefined;
  const commandsOf = (choose: (one: DetectedVerify) => VerifyConfig) =>
    inSeveralFolders(found.map(({ folder, one }) => ({ folder, verify: choose(one) })));
  const most = Math.max(...found.map(({ one }) => one.alternatives.length));
  return {
    kind: first.one.kind,
    verify: commandsOf(({ verify }) => verify),
    notes: [...new Set(found.flatMap(({ one }) => one.notes))],
    alternatives: Array.from({ length: most }, (_, at) =>
      commandsOf(({ verify, alternatives }) => alternatives[at] ?? alternatives.at(-1) ?? verify),
    ),
  };
}
