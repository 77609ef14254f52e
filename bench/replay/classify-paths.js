const TEST = [
  /(^|\/)(tests?|__tests__|spec|specs|testing|test-d|tap-snapshots|__snapshots__|testdata|fixtures?)\//,
  /(^|\/)(test|tests|test[-_.][^/]*)\.[cm]?[jt]sx?$/,
  /[._-](test|spec)(-d)?\.[cm]?[jt]sx?$/,
  /(^|\/)(test_[^/]*|[^/]*_test|conftest)\.py$/,
  /_test\.go$/,
];
const DOCS =
  /(^|\/)(docs?|docs-slate|website|site|examples?|_examples?|\.changeset|\.claude|\.agents)\/|\.(md|rst|txt|adoc|png|svg|gif)$|(^|\/)(LICENSE|AUTHORS|CHANGELOG|CHANGES|COPYING)[^/]*$/i;
const DEPENDENCIES =
  /(^|\/)(package\.json|package-lock\.json|pnpm-lock\.yaml|yarn\.lock|uv\.lock|go\.mod|go\.sum|Cargo\.lock|requirements[^/]*\.txt)$/;
const SOURCE = /\.([cm]?[jt]sx?|py|go|rs)$/;
const CONFIGURATION =
  /(^|\/)\.[^/]+$|^\.github\/|\.config\.[cm]?[jt]s$|(^|\/)(bench(marks?)?|benchmark|scripts|perf-testing)\//;

/** The kind of one changed path: tests, docs, dependencies, configuration, source or other. */
export function kindOfPath(path) {
  if (TEST.some((pattern) => pattern.test(path))) return 'tests';
  if (DEPENDENCIES.test(path)) return 'dependencies';
  if (CONFIGURATION.test(path)) return 'configuration';
  if (DOCS.test(path)) return 'docs';
  return SOURCE.test(path) ? 'source' : 'other';
}

/**
 * The group a commit belongs to: `tested` touches source and tests; `untested` touches no test and is documentation,
 * a dependency update or a source change. Everything else is not considered.
 */
export function classifyCommit(paths, subject) {
  const kinds = new Set(paths.map(kindOfPath));
  if (kinds.has('tests'))
    return kinds.has('source') ? { group: 'tested', type: codeType(subject) } : undefined;
  if (kinds.has('source'))
    return /refactor|simplif|clean|perf|rename|extract/i.test(subject) ? untested('refactor') : undefined;
  if (kinds.has('dependencies'))
    return /bump|deps|dependenc|upgrade|update/i.test(subject) ? untested('refactor') : undefined;
  return kinds.size === 1 && kinds.has('docs') ? untested('documentation') : undefined;
}

function codeType(subject) {
  if (/^(refactor|perf|chore|style)\b/i.test(subject)) return 'refactor';
  return /\bfix|bug|issue|regress|correct|crash|prevent|handle\b/i.test(subject) ? 'bugfix' : 'feature';
}

function untested(type) {
  return { group: 'untested', type };
}
