import { posix } from 'node:path';
import { type FilePart, registered } from './build-files.ts';
import { type ConfigSection, readTomlSections, tomlBelow, withoutEscapes } from './config-sections.ts';

export function isCargoManifest(path: string): boolean {
  return posix.basename(path) === 'Cargo.toml';
}

const CARGO_KEYS: [string, string[]][] = [
  ['[lib] test', ['lib.test', 'lib.harness', 'lib.path', 'lib.doctest']],
  ['[profile.test]', ['profile.test']],
  ['[package] autotests', ['package.autotests']],
  ['[workspace] members', ['workspace.exclude', 'workspace.default-members']],
];

/** Crates whose macros decide whether a test passes. */
const RUST_JUDGES =
  /(?<![\w-])(?:pretty_assertions|similar-asserts|assert_matches|assert_cmd|assert_fs|assert2|claims?|more-asserts|k9|insta|expect-test|snapbox|goldenfile|googletest|speculoos|spectral|hamcrest2?|approx|float-cmp|proptest|quickcheck(?:_macros)?|rstest|test-case|test-log|trybuild|tokio-test)(?![\w-])/;

/** The parts of a Cargo.toml that decide which tests exist and how they run. */
export function cargoParts(text: string): FilePart[] {
  const sections = readTomlSections(text);
  const others = sections.filter((section) => !isPlainTest(section));
  const parts = [...CARGO_KEYS, ['[[test]]', ['test']] as const].flatMap(([part, paths]) => {
    const found = tomlBelow(others, paths);
    return found === undefined ? [] : [{ part, text: found }];
  });
  for (const { key, text: line } of sections[0]?.entries ?? [])
    if (/^(?:bench|example|bin)$/.test(key)) parts.push({ part: `[[${key}]]`, text: line });
  parts.push(...sections.filter(isPlainTest).map((section) => registered(sectionText(section))));
  const replaced = sections
    .flatMap(({ entries }) => entries)
    .filter(
      ({ key, text: line }) =>
        /(?:^|[.-])(?:dependencies|patch|replace)(?:\.|$)/.test(key) &&
        RUST_JUDGES.test(`${key} ${line}`) &&
        /\b(?:path|git|package|registry)\b/.test(`${key} ${line}`),
    )
    .map(({ key, text: line }) => `${key}: ${line}`);
  return replaced.length === 0
    ? parts
    : [...parts, { part: 'assertion libraries from another source', text: replaced.join('\n') }];
}

/** Only a name and a path: a test with the usual harness that runs everywhere. */
function isPlainTest({ name, entries }: ConfigSection): boolean {
  return name === 'test' && entries.every(({ key }) => key === 'test.name' || key === 'test.path');
}

function sectionText({ name, entries }: ConfigSection): string {
  return [`[[${name}]]`, ...entries.map(({ text }) => text).sort()].join('\n');
}

/** One version's Cargo.toml with the tests that only the other version lists; undefined if there is none. */
export function withTestsListed(code: string, tests: string): string | undefined {
  // A new package cannot be part of the base, and without its name Cargo would read nothing at all.
  if (code === '') return undefined;
  const listed = (text: string) => readTomlSections(text).filter(isPlainTest).map(sectionText);
  const known = new Set(listed(code));
  const added = listed(tests).filter((section) => !known.has(section));
  return added.length === 0 ? undefined : `${code}\n${added.join('\n\n')}\n`;
}

/**
 * A Cargo.toml without the tests that the other version does not list, and without other targets that are added files of
 * the tests: Cargo compiles nothing if one of their files is gone. Undefined if there is none of them. Other examples stay,
 * since Cargo would find them anyway, and without their conditions.
 */
export function withoutTargetsOf(
  manifest: { path: string; text: string },
  other: string,
  isAdded: (path: string) => boolean,
): string | undefined {
  const known = new Set(readTomlSections(other).map(sectionText));
  const sections = readTomlSections(manifest.text);
  const isGone = (section: ConfigSection) =>
    (section.name === 'test' ||
      (/^(?:bench|example|bin)$/.test(section.name) && pathsIn(manifest.path, section).some(isAdded))) &&
    !known.has(sectionText(section));
  if (!sections.some(isGone)) return undefined;
  const lines = manifest.text.split('\n');
  return sections
    .flatMap((section, at) => (isGone(section) ? [] : lines.slice(section.from, sections[at + 1]?.from)))
    .join('\n');
}

export type CargoTarget = 'test' | 'bench' | 'example';

/**
 * Tells which files are tests, benchmarks and examples by the paths in Cargo.toml files: a listed file, and everything in
 * its folder if that contains no product code. A listed file in a folder of product code does not count.
 */
export function listedTargets(
  manifests: readonly { path: string; text: string }[],
): (path: string) => CargoTarget | undefined {
  const listed = manifests.flatMap(listedPaths);
  const product = [
    ...manifests.flatMap(productPaths).map((file) => posix.dirname(file)),
    ...manifests.map(({ path }) => posix.join(posix.dirname(path), 'src')),
  ];
  const roots = new Set(manifests.map(({ path }) => posix.dirname(path)));
  const places = new Map<string, CargoTarget>();
  for (const { name, file } of listed) {
    const folder = posix.dirname(file);
    if (!isTarget(name) || file.startsWith('..') || product.some((one) => isWithin(folder, one))) continue;
    const isShared = roots.has(folder) || product.some((one) => isWithin(one, folder));
    places.set(isShared ? file : `${folder}/`, name);
  }
  return (path) => {
    if (places.size === 0 || !path.endsWith('.rs')) return undefined;
    for (const [place, target] of places)
      if (path === place || (place.endsWith('/') && path.startsWith(place))) return target;
    return undefined;
  };
}

function listedPaths({ path, text }: { path: string; text: string }): { name: string; file: string }[] {
  return readTomlSections(text).flatMap((section) =>
    pathsIn(path, section).map((file) => ({ name: section.name, file })),
  );
}

function pathsIn(manifest: string, { name, entries }: ConfigSection): string[] {
  return entries.flatMap(({ key, text }) => {
    const value = /=\s*["']+([^"']+)["']/.exec(text)?.[1];
    return key === `${name}.path` && value !== undefined
      ? [posix.normalize(posix.join(posix.dirname(manifest), withoutEscapes(value)))]
      : [];
  });
}

/** The files of libraries and programs, in any notation: what counts as product must not depend on it. */
function productPaths({ path, text }: { path: string; text: string }): string[] {
  const found = withoutEscapes(tomlBelow(readTomlSections(text), ['lib', 'bin']) ?? '');
  return [...found.matchAll(/["']([^"'\n]+\.rs)["']/g)].map(([, file = '']) =>
    posix.normalize(posix.join(posix.dirname(path), file)),
  );
}

function isTarget(name: string): name is CargoTarget {
  return name === 'test' || name === 'bench' || name === 'example';
}

function isWithin(folder: string, outer: string): boolean {
  return outer === '.' || folder === outer || folder.startsWith(`${outer}/`);
}
