/**
 * Code that takes the next key in the folder of reports, as a runner does, and seals a record of its own making.
 * `events` is an expression for a list of what node:test would have told.
 */
export function forgeRecord(folder: string, events: string): string {
  return `
  const { createHash, createHmac } = process.getBuiltinModule('node:crypto');
  const files = process.getBuiltinModule('node:fs');
  const digest = (purpose, key) => createHash('sha256').update(purpose + ':' + key).digest('hex');
  const taken = files.readFileSync(${folder} + '/key', 'utf8');
  files.writeFileSync(${folder} + '/key', digest('next', taken));
  const signed = [JSON.stringify({ runner: 'node:test', exitCode: 0 }), ...${events}.map((one) => JSON.stringify(one))].join('\\n');
  const mac = createHmac('sha256', digest('seal', taken)).update(signed).digest('hex');
  const header = JSON.stringify({ guardkit: 'record', key: digest('name', taken), mac });
  files.writeFileSync(${folder} + '/0.record', header + '\\n' + signed);
`;
}

/** Code that finds the reports folder like a test could: in the environment of its parent processes. */
export function findReports(then: string): string {
  return `
{
  const { readFileSync, rmSync, writeFileSync } = process.getBuiltinModule('node:fs');
  const parent = (pid) => Number(/PPid:\\s*(\\d+)/.exec(readFileSync('/proc/' + pid + '/status', 'utf8'))[1]);
  for (let pid = process.ppid; pid > 1; pid = parent(pid)) {
    const folder = /GUARDKIT_REPORTS=([^\\0]+)/.exec(readFileSync('/proc/' + pid + '/environ', 'latin1'))?.[1];
    if (!folder) continue;
    ${then}
    break;
  }
}
`;
}
