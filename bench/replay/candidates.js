import { classifyCommit, kindOfPath } from './classify-paths.js';
import { changesOnlyComments } from './only-comments.js';
import { mustRun } from './run-command.js';

const RECORD = '\x1e';

/** The newest non-merge commits of a clone that belong to a group by their paths, newest first. */
export async function listCandidates(gitFolder, { newest, until = '2099-01-01' }) {
  const log = await mustRun(
    `git log --until=${until} --no-merges --no-renames -n ${newest} --format='%x1e%H%x1f%P%x1f%cs%x1f%s' --name-only HEAD`,
    {
      cwd: gitFolder,
    },
  );
  return log
    .split(RECORD)
    .slice(1)
    .map((record) => {
      const [head = '', ...rest] = record.split('\n');
      const [commit, parent, date, subject] = head.split('\x1f');
      const paths = rest.filter((line) => line !== '');
      return { commit, parent, date, subject, paths, ...classifyCommit(paths, subject) };
    })
    .filter(({ group, parent }) => group !== undefined && parent !== '')
    .map((candidate) => ({
      ...candidate,
      testPaths: candidate.paths.filter((path) => kindOfPath(path) === 'tests'),
    }));
}

/** The candidate, as documentation if its source changes in comments only. */
export async function withCommentsRead(gitFolder, candidate) {
  const sources = candidate.paths.filter((path) => kindOfPath(path) === 'source');
  return (await changesOnlyComments(gitFolder, { ...candidate, paths: sources }))
    ? { ...candidate, group: 'untested', type: 'documentation', testPaths: [] }
    : candidate;
}
