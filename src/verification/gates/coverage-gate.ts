import { type Gate, some } from './gate.ts';

/** Enough of the changed lines, or of the project, ran in GuardKit's own run. */
export const coverageGate: Gate = {
  name: 'coverage',
  judge({ rules, coverage, coverageExclusions, exclusionComments }) {
    const required = rules.coverageRequired;
    const evidence = coverage.evidence ? [coverage.evidence.id] : [];
    if (!coverage.measured)
      return { result: 'absent', required, code: 'not-measured', reason: coverage.why, evidence };
    if (coverageExclusions.length > 0) {
      const reason = `the change excludes lines from coverage or names the coverage report in code: ${some(coverageExclusions)}; remove that, or have a person accept the file with \`guardkit accept\``;
      return { result: 'fail', required, code: 'lines-left-out', reason, evidence };
    }
    const { figures } = coverage;
    const scope = rules.coverageScope;
    const measured = figures[scope];
    const other = figures[scope === 'changed' ? 'project' : 'changed'];
    const otherFigure = other.figure
      ? `; ${percent(other.figure.fraction)} of ${scope === 'changed' ? 'the project' : 'the changed lines'}`
      : '';
    const leftOut = figures.leftOut.map(({ path, why }) => `${path} (${why})`);
    const notCounted = [
      leftOut.length > 0 ? `; not counted: ${some(leftOut)}` : '',
      exclusionComments.length > 0 ? `; measured without the exclusions at ${some(exclusionComments)}` : '',
    ].join('');
    if (!measured.figure) {
      // A change without an executable line has nothing to cover; that differs from an unknown figure.
      const nothing =
        scope === 'changed' &&
        figures.missingFiles.length === 0 &&
        (figures.project.figure || leftOut.length > 0) &&
        measured.code === 'nothing-changed';
      return {
        result: nothing ? 'pass' : 'absent',
        required,
        code: nothing ? 'nothing-to-cover' : 'no-figure',
        reason: `${measured.why}${notCounted}${otherFigure}`,
        evidence,
      };
    }
    const { fraction, covered, total } = measured.figure;
    const enough = fraction >= rules.coverageThreshold;
    const missing =
      figures.missingFiles.length > 0 ? `; not in the report: ${some(figures.missingFiles)}` : '';
    const what = scope === 'changed' ? 'changed lines' : 'lines of the project';
    return {
      result: enough ? 'pass' : 'fail',
      required,
      ...(enough ? {} : { code: 'below-threshold' }),
      reason: `${percent(fraction)} of ${what} (${covered}/${total}), ${enough ? 'at least' : 'less than'} ${percent(rules.coverageThreshold)}${missing}${notCounted}${otherFigure}`,
      evidence,
    };
  },
};

/** Rounded down, so that a missed threshold never looks met. */
function percent(fraction: number): string {
  return `${(Math.floor(fraction * 1000 + 1e-9) / 10).toFixed(1)}%`;
}
