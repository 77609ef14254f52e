import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { launcherPath, writeLauncher } from '../../../src/enforcement/install/launcher.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function launcher(program: string, node = process.execPath) {
  const dataFolder = join(temporaryFolder(), "it's a home");
  mkdirSync(dataFolder);
  const file = join(dataFolder, 'program.cjs');
  writeFileSync(file, program);
  writeLauncher({ node, program: file, dataFolder });
  return {
    dataFolder,
    run: (env: NodeJS.ProcessEnv = {}, ...more: string[]) =>
      spawnSync(launcherPath(dataFolder), ['claude', ...more], {
        encoding: 'utf8',
        input: '{}',
        env: { PATH: process.env.PATH, ...env },
      }),
  };
}

describe('the launcher of hooks', () => {
  it('hands over input, arguments, output and both answers', () => {
    const said = launcher(
      'process.stdout.write(process.argv[2] + require("fs").readFileSync(0, "utf8"))',
    ).run();
    expect(said).toMatchObject({ status: 0, stdout: 'claude{}' });
    const refused = launcher('process.stderr.write("no"); process.exitCode = 2').run();
    expect(refused).toMatchObject({ status: 2, stderr: 'no' });
  });

  it.each([
    ['the program fails', 'process.exitCode = 1'],
    ['the program crashes', 'throw new Error("x")'],
    ['the program is killed', 'process.kill(process.pid, "SIGKILL")'],
  ])('refuses when %s', (_, program) => {
    const said = launcher(program).run();
    expect(said.status).toBe(2);
    expect(said.stderr).toContain('GuardKit');
  });

  it.each([
    ['its program fails', 'process.exitCode = 1'],
    ['its program refuses, since it cannot tell what it is asked', 'process.exitCode = 2'],
    ['its program is killed', 'process.kill(process.pid, "SIGKILL")'],
  ])('never refuses what a person says, who is told when %s', (_, program) => {
    const said = launcher(program).run({}, '--never-refuse');
    expect(said.status).toBe(0);
    expect(JSON.parse(said.stdout).systemMessage).toMatch(/GuardKit.*guardkit doctor --fix/);
  });

  it('tells a person of a Node that is gone whatever its path is made of', () => {
    const said = launcher('', `/nowhere/a "b" $c \\d 'e' \u0001/node`).run({}, '--never-refuse');
    expect(said.status).toBe(0);
    expect(JSON.parse(said.stdout).systemMessage).toContain('/nowhere/a');
  });

  it('refuses when its Node or its program is gone', () => {
    const said = launcher('', '/nowhere/bin/node').run();
    expect(said.status).toBe(2);
    expect(said.stderr).toContain('/nowhere/bin/node');
  });

  it('lets no variable of the agent load code into it', () => {
    const { dataFolder, run } = launcher('process.stdout.write("ran")');
    const evil = join(dataFolder, 'evil.cjs');
    writeFileSync(evil, 'process.stdout.write("evil"); process.exit(0)');
    expect(run({ NODE_OPTIONS: `--require "${evil}"` }).stdout).toBe('ran');
  });

  it('says where the data folder is, whatever the agent says', () => {
    const { dataFolder, run } = launcher('process.stdout.write(process.env.GUARDKIT_HOME)');
    expect(run({ GUARDKIT_HOME: '/elsewhere' }).stdout).toBe(dataFolder);
  });

  it('is for its owner alone, and written once', () => {
    const { dataFolder } = launcher('');
    expect(statSync(launcherPath(dataFolder)).mode & 0o777).toBe(0o700);
    const parts = { node: process.execPath, program: join(dataFolder, 'program.cjs'), dataFolder };
    expect(writeLauncher(parts)).toBe(false);
    expect(writeLauncher({ ...parts, program: '/other' })).toBe(true);
  });
});
