const RUNNER_CONFIGURATION =
  /(^|\/)(vitest|vite|jest|ava|babel)\.config\.[cm]?[jt]s$|(^|\/)(\.mocharc[^/]*|\.taprc|\.nycrc|\.c8rc[^/]*|pytest\.ini|tox\.ini|setup\.cfg|conftest\.py|\.coveragerc|\.babelrc)$/;

/**
 * The expected verdict, from native runs and changed paths alone: `passed`, `refused` or `yes` (a person has to agree).
 * `why` explains all but `passed`.
 */
export function expectedVerdict({ group, type, paths }, { newOnOld, oldOnNew, scripts }) {
  if (scripts.length > 0) return { expected: 'yes', why: `changes the scripts ${scripts.join(', ')}` };
  if (group === 'untested') return { expected: 'passed', why: type };
  const configuration = paths.filter((path) => RUNNER_CONFIGURATION.test(path));
  if (configuration.length > 0) return { expected: 'yes', why: `changes ${configuration.join(', ')}` };
  if (newOnOld.passed && type !== 'refactor') {
    return { expected: 'refused', why: 'its tests pass without its source change' };
  }
  if (!oldOnNew.passed) return { expected: 'yes', why: 'tests of the parent fail on its source' };
  return { expected: 'passed', why: '' };
}
