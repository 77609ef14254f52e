import { HONEST_TEST_MAIN, REGISTERED } from './harness-part.ts';

export interface FilePart {
  part: string;
  text: string;
}

/** Properties of Maven that can change which tests run or their results. */
const MAVEN_PROPERTY =
  /test|skip|surefire|failsafe|fail|argline|jacoco|groups|include|exclude|\bit\.|junit|run/i;

/** The parts of a pom.xml that configure tests; without versions and other properties. */
export function mavenParts(text: string): FilePart[] {
  const plain = withoutXmlComments(text);
  return ['build', 'properties', 'profiles', 'modules'].flatMap((tag) => {
    const found = elements(plain, tag)
      .join('\n')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !isVersionLine(line))
      .filter(
        (line) => tag !== 'properties' || !/^<[\w.-]{1,100}>[^<]*</.test(line) || MAVEN_PROPERTY.test(line),
      )
      .join('\n');
    if (tag === 'modules') return (found.match(/<module>[^<\n]{1,300}<\/module>/g) ?? []).map(registered);
    return found === '' || found === `<${tag}>\n</${tag}>` ? [] : [{ part: `<${tag}>`, text: found }];
  });
}

/** A module more is tested too; one less is not. */
export function registered(line: string): FilePart {
  return { part: `${REGISTERED}${line}`, text: line };
}

function isVersionLine(line: string): boolean {
  return /^<(?:[\w.-]{1,100}\.)?version>[^<]{0,200}<\/[\w.-]{1,100}>$/.test(line);
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

const GRADLE_VERSION =
  /^(?:\/\/.*|#.*|distributionUrl=https\\?:\/\/services\.gradle\.org\/distributions\/gradle-[\w.-]{1,40}\.zip|distributionSha256Sum=\w{1,80}|(?:version|group|description|sourceCompatibility|targetCompatibility|org\.gradle\.jvmargs|(?:def |val |ext\.)?\w{0,40}[vV]ersion)\s{0,4}=?\s{0,4}["']?[\w.+-]{1,60}["']?)$/;
const GRADLE_PLUGIN_VERSION = /^((?:id|kotlin|alias)\b.{1,100}?) version ["'][^"']{1,60}["']/;

/** Lists projects, in settings.gradle. */
const GRADLE_INCLUDE = /^include\s{0,4}(?:\(\s{0,4})?(?:["'][\w.:/-]{1,200}["']\s{0,4},?\s{0,4}){1,50}\)?;?$/;

/** A Gradle file without dependencies and versions. */
export function gradleParts(text: string): FilePart[] {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !GRADLE_DEPENDENCY.test(line) && !GRADLE_VERSION.test(line))
    .map((line) => line.replace(GRADLE_PLUGIN_VERSION, '$1'));
  const included = lines
    .filter((line) => GRADLE_INCLUDE.test(line))
    .flatMap((line) => line.match(/["'][^"']+["']/g) ?? [])
    .map((name) => registered(`include ${name.slice(1, -1)}`));
  const others = lines.filter((line) => !GRADLE_INCLUDE.test(line)).join('\n');
  return [{ part: 'all but dependencies', text: others }, ...included];
}

/**
 * A go.work without versions: modules and replacements. A new module is tested too, unless its name, by folder, does not
 * look like that of the first one, or is that of an assertion library: it may take the place of a dependency.
 */
export function goWorkParts(text: string, moduleIn: (folder: string) => string): FilePart[] {
  const replaced = goLines(text).filter((line) => line.includes('=>'));
  const folders = goWorkFolders(text);
  const owner = (folder: string) => moduleIn(folder).split('/', 2).join('/');
  const parts = folders.map((folder): FilePart => {
    const line = `use ${folder}`;
    return owner(folder) === owner(folders[0] ?? '') && !GO_JUDGES.test(moduleIn(folder))
      ? registered(line)
      : { part: line, text: moduleIn(folder) };
  });
  return [{ part: 'replacements', text: replaced.join('\n') }, ...parts];
}

/** The folders of a go.work's modules. */
export function goWorkFolders(text: string): string[] {
  const folders: string[] = [];
  let isInBlock = false;
  for (const line of goLines(text)) {
    const [, single] = /^use\s+([^\s(].*)$/.exec(line) ?? [];
    if (/^use\s*\(/.test(line)) isInBlock = true;
    else if (line === ')') isInBlock = false;
    else if (single !== undefined || isInBlock) folders.push(unquoted(single ?? line));
  }
  return folders;
}

/** The lines of a go.mod or go.work without comments. */
function goLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/\/\/.*$/, '').trim())
    .filter((line) => line !== '');
}

function unquoted(word: string): string {
  return word.replace(/^["`](.*)["`]$/, '$1');
}

/** Modules whose functions decide whether a test passes. */
const GO_JUDGES =
  /^(?:github\.com\/(?:stretchr\/testify|onsi\/(?:ginkgo|gomega)|google\/go-cmp|matryer\/is|frankban\/quicktest|go-quicktest\/qt|shoenig\/test|alecthomas\/assert|smartystreets\/(?:goconvey|assertions))|gotest\.tools|gopkg\.in\/(?:check\.v1|go-playground\/assert\.v1))(?=\/|$)/;

/** The lines of a go.mod that put something else in the place of an assertion library, or of a part of one. */
export function goReplacements(text: string): FilePart[] {
  return goLines(text).flatMap((line) => {
    const [before = '', target] = line.split('=>', 2);
    if (target === undefined) return [];
    const [word = ''] = before
      .replace(/^replace(?=[\s("])/, '')
      .trim()
      .split(/\s+/);
    const module = unquoted(word);
    // With escapes it may be any.
    const isJudge = GO_JUDGES.test(module) || module.includes('\\');
    return isJudge ? [{ part: `replace ${module}`, text: target.trim() }] : [];
  });
}

/** The assertion library that a vendored file belongs to, with the folder of all vendored modules. */
export function vendoredJudge(path: string): { vendor: string; module: string } | undefined {
  const [, vendor = '', rest = ''] = /^((?:.*\/)?vendor)\/(.+)$/.exec(path) ?? [];
  const module = GO_JUDGES.exec(rest)?.[0];
  return module === undefined ? undefined : { vendor, module };
}

/** A Go file's TestMain, which decides whether the tests of its package run and with what result. */
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

/** Whether the tests run and their result is the exit code; other exits only report a failure. */
function runsItsTests(body: string): boolean {
  if (/\breturn\b|\brecover\b|\bflag\.Set\b|\bm\.Run\s{0,9}=/.test(body)) return false;
  if ((body.match(/\bm\.Run\(\)/g) ?? []).length > 1) return false;
  const result = /\b(\w{1,40})\s{0,9}:?=\s{0,9}m\.Run\(\)/.exec(body)?.[1];
  const exits = [...body.matchAll(/\bos\.Exit\(\s{0,9}([^()\n]{0,40}(?:\(\))?)\s{0,9}\)/g)].map(
    (one) => one[1] ?? '',
  );
  const isHonest = (code: string) => code === 'm.Run()' || code === result || /^-?[1-9]\d{0,3}$/.test(code);
  if (!exits.every(isHonest)) return false;
  if (result !== undefined) {
    const sets = [...body.matchAll(new RegExp(`\\b${result}\\s{0,9}:?=(?!=)\\s{0,9}([^\\n;]{1,60})`, 'g'))];
    if (!sets.every((one) => /^(?:m\.Run\(\)|-?[1-9]\d{0,3})$/.test(one[1]?.trim() ?? ''))) return false;
    return exits.includes(result);
  }
  return exits.includes('m.Run()') || /\bVerifyTestMain\(m\b/.test(body);
}

const NPMRC_KEYS =
  /^(?:script-shell|shell|shell-emulator|ignore-scripts|prefix|node-options|node-version|use-node-version|scripts?-prepend-node-path|enable-pre-post-scripts|workspaces?|if-present|userconfig|globalconfig|pnpmfile|global-pnpmfile|nodedir|git|call|include-workspace-root|onload-script)$/i;

/** The settings of an .npmrc that change how scripts run; package sources are not among them. */
export function npmrcSettings(text: string): string | undefined {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => {
      if (line === '' || line.startsWith('#') || line.startsWith(';')) return false;
      // npm removes quotes from a name and expands variables, so a name with a variable may be any.
      const name = (line.split('=', 1)[0] ?? '').replace(/["'\s]|\[\]/g, '');
      return name.includes('${') || NPMRC_KEYS.test(name);
    });
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** Top-level keys of a YAML file that match a pattern, with their indented content. */
export function yamlKeys(text: string, pattern: RegExp): string | undefined {
  const lines: string[] = [];
  let taken = false;
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue;
    // A key with escapes or on a separate line may be any.
    if (/^[^\s-]/.test(line))
      taken = !/^["']?[\w-]+["']?\s*:/.test(line) || pattern.test(line.replace(/^["']/, ''));
    if (taken) lines.push(line.trimEnd());
  }
  return lines.length === 0 ? undefined : lines.join('\n');
}
