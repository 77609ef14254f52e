import { readTomlSections, tomlBelow } from './config-sections.ts';
import { HONEST_TEST_MAIN, LOCKED } from './harness-part.ts';

export interface FilePart {
  part: string;
  text: string;
}

const CARGO_KEYS: [string, string[]][] = [
  ['[[test]]', ['test']],
  ['[[bench]]', ['bench']],
  ['[lib] test', ['lib.test', 'lib.harness', 'lib.path', 'lib.doctest']],
  ['[profile.test]', ['profile.test']],
  ['[package] autotests', ['package.autotests', 'package.autobenches']],
  ['[workspace] members', ['workspace.exclude', 'workspace.default-members']],
];

/** What of a Cargo.toml says which tests there are and how they run. */
export function cargoParts(text: string): FilePart[] {
  const sections = readTomlSections(text);
  return CARGO_KEYS.flatMap(([part, paths]) => {
    const found = tomlBelow(sections, paths);
    return found === undefined ? [] : [{ part, text: found }];
  });
}

/** The parts of a pom.xml that say what is built and how; versions of dependencies are left out. */
export function mavenParts(text: string): FilePart[] {
  const plain = withoutXmlComments(text);
  return ['build', 'properties', 'profiles', 'modules'].flatMap((tag) => {
    const found = elements(plain, tag)
      .join('\n')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !/^<[\w.-]{1,100}\.version>[^<]{0,200}<\/[\w.-]{1,100}>$/.test(line))
      .join('\n');
    return found === '' || found === `<${tag}>\n</${tag}>` ? [] : [{ part: `<${tag}>`, text: found }];
  });
}

function withoutXmlComments(text: string): string {
  const kept: string[] = [];
  let at = 0;
  for (;;) {
    const start = text.indexOf('<!--', at);
    const end = start === -1 ? -1 : text.indexOf('-->', start);
    if (end === -1) return kept.join('') + text.slice(at);
    kept.push(text.slice(at, start));
    at = end + 3;
  }
}

function elements(text: string, tag: string): string[] {
  const found: string[] = [];
  for (let at = 0; ; ) {
    const start = text.indexOf(`<${tag}>`, at);
    if (start === -1) return found;
    const end = text.indexOf(`</${tag}>`, start);
    if (end === -1) return [...found, text.slice(start)];
    at = end + tag.length + 3;
    found.push(text.slice(start, at));
  }
}

const GRADLE_DEPENDENCY =
  /^(?:api|\w{0,40}[iI]mplementation|\w{0,40}(?:CompileOnly|RuntimeOnly)|compileOnly|runtimeOnly|annotationProcessor|kapt|ksp)\s{0,4}[("'][^{}]{1,300}$/;

/** A Gradle file without the lines that only declare a dependency. */
export function gradleText(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !GRADLE_DEPENDENCY.test(line))
    .join('\n');
}

/** A Go file's TestMain, which decides whether any test of its package runs and what comes of it. */
export function goTestMain(text: string): FilePart | undefined {
  const start = /^func TestMain\(/m.exec(text)?.index;
  if (start === undefined) return undefined;
  // gofmt puts the end of a function at the start of a line.
  const end = text.indexOf('\n}', start);
  const body = text
    .slice(start, end === -1 ? undefined : end + 2)
    .split('\n')
    .map((line) => line.replace(/^\s*\/\/.*$/, '').trim())
    .filter((line) => line !== '')
    .join('\n');
  return { part: runsItsTests(body) ? HONEST_TEST_MAIN : 'func TestMain', text: body };
}

function runsItsTests(body: string): boolean {
  if (/\bos\.Exit\(\s{0,9}0\s{0,9}\)|\breturn\b|\bif\b|\bpanic\b|\brecover\b/.test(body)) return false;
  if (/\bos\.Exit\(m\.Run\(\)\)|\bVerifyTestMain\(m\b/.test(body)) return true;
  const code = /\b(\w{1,40}) :?= m\.Run\(\)/.exec(body)?.[1];
  return code !== undefined && body.includes(`os.Exit(${code})`);
}

const NPMRC_KEYS =
  /^(?:script-shell|shell|shell-emulator|ignore-scripts|prefix|node-options|node-version|use-node-version|scripts?-prepend-node-path|enable-pre-post-scripts|workspaces?|if-present|userconfig|globalconfig|pnpmfile|global-pnpmfile|nodedir|git|call|include-workspace-root|onload-script)$/i;

/** The settings of an .npmrc that change how scripts run; where packages come from is not among them. */
export function npmrcSettings(text: string): string | undefined {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => {
      if (line === '' || line.startsWith('#') || line.startsWith(';')) return false;
      // npm takes quotes off a name and puts in variables, so that one with a variable may be any.
      const name = (line.split('=', 1)[0] ?? '').replace(/["'\s]|\[\]/g, '');
      return name.includes('${') || NPMRC_KEYS.test(name);
    });
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** Top-level keys of a YAML file with what is indented below them, without those that begin with some words. */
export function yamlWithout(text: string, beginnings: readonly string[]): string | undefined {
  const lines: string[] = [];
  let skipping = false;
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue;
    if (/^[\w"']/.test(line)) skipping = beginnings.some((one) => line.replace(/^["']/, '').startsWith(one));
    if (!skipping) lines.push(line.trimEnd());
  }
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** What a lock file of npm holds some packages to: the same version must stay the same package. */
export function lockedPackages(text: string, names: ReadonlySet<string>): FilePart[] {
  let packages: unknown;
  try {
    packages = (JSON.parse(text) as { packages?: unknown } | null)?.packages;
  } catch {
    // Safe: npm does not take a lock file that it cannot read either.
    return [];
  }
  if (packages === null || typeof packages !== 'object') return [];
  return Object.entries(packages).flatMap(([key, value]: [string, unknown]) => {
    const name = key.slice(key.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (!key.includes('node_modules/') || !names.has(name) || value === null || typeof value !== 'object')
      return [];
    const { version, integrity, resolved } = value as Record<string, unknown>;
    return [
      { part: `${LOCKED}${name} ${String(version)} at ${key}`, text: String(integrity ?? resolved ?? '') },
    ];
  });
}
