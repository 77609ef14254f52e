const COLUMNS = [
  'passed',
  'refused rightly',
  "needs a person's yes",
  'refused wrongly',
  'accepted wrongly',
  'could not run',
];

/** Prints one row per repository, then every entry that did not simply pass. */
export function printTable(rows, { build, listed }) {
  const repositories = [...new Set(rows.map(({ repository }) => repository))];
  const lines = repositories.map((repository) =>
    lineOf(
      repository,
      rows.filter((row) => row.repository === repository),
    ),
  );
  console.log(`\nbuild ${build}: ${rows.length} of ${listed} replayed\n`);
  console.log(
    `| repository | runner | commits | ${COLUMNS.join(' | ')} | first verify | known base | coverage off |`,
  );
  console.log(`|---|---|${'--:|'.repeat(COLUMNS.length + 4)}`);
  for (const line of [...lines, lineOf('**all**', rows, '')]) console.log(line);
  console.log('');
  for (const { repository, commit, id, column, why, subject } of rows.filter(
    (row) => row.column !== 'passed' || row.cheat,
  )) {
    console.log(`- ${column}: ${repository} ${commit.slice(0, 10)} ${id ?? ''} ${subject ?? ''}\n  ${why}`);
  }
}

function lineOf(name, rows, runner = rows[0].runner) {
  const counts = COLUMNS.map((column) => rows.filter((row) => row.column === column).length || '');
  const ratio = (kind) => {
    const found = rows.filter(({ times }) => times?.native > 0 && times[kind] !== undefined);
    return found.length === 0
      ? ''
      : `${median(found.map(({ times }) => times[kind] / times.native)).toFixed(2)}×`;
  };
  return `| ${[name, runner, rows.length, ...counts, ratio('first'), ratio('known'), ratio('withoutCoverage')].join(' | ')} |`;
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
