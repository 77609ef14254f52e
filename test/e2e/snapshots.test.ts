import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launcherPath, writeLauncher } from '../../src/enforcement/wiring/launcher.ts';
import { launcherParts } from '../../src/enforcement/wiring/own-package.ts';
import { QUICK_LINES } from '../../src/quick-lines.ts';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { Sandbox } from '../support/cli.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let sandbox: Sandbox;

beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.repository('shop');
  sandbox.write('shop/.guardkit/config.yaml', 'project: shop-1\n');
  mkdirSync(sandbox.home, { recursive: true });
});

afterEach(() => sandbox.cleanup());

describe('hooks that begin with a snapshot', () => {
  function payload(tool_name: string, tool_input: object) {
    const cwd = sandbox.path('shop');
    return {
      session_id: 's',
      cwd,
      hook_event_name: 'PreToolUse',
      tool_name,
      tool_input,
      tool_use_id: tool_name,
    };
  }

  function start(command: string, args: string[], told: object) {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: sandbox.path('shop'),
      env: { ...sandbox.env, CLAUDE_PROJECT_DIR: sandbox.path('shop') },
      input: JSON.stringify(told),
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  }

  it('answer as those that begin without one [START-1]', () => {
    const refused = payload('Write', { file_path: sandbox.path('shop/.guardkit/config.yaml'), content: '' });
    const harmless = payload('Read', { file_path: sandbox.path('shop/a.js') });
    const answers = [true, false].map((begins) => {
      const home = sandbox.path(`data-${begins}`);
      openLedger({ path: join(home, 'ledger.db') }).close();
      const { snapshot, ...parts } = launcherParts(home);
      expect(snapshot && existsSync(snapshot.file)).toBe(true);
      writeLauncher(begins ? { ...parts, snapshot } : parts);
      return [refused, harmless].map((told) => start(launcherPath(home), ['claude'], told));
    });
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject([
      { status: 0, stdout: expect.stringContaining('"deny"') },
      { status: 0, stdout: '', stderr: '' },
    ]);
  });

  it('know that they are not what is started, and leave it unread [START-1]', () => {
    const { snapshot } = launcherParts(realpathSync(sandbox.home));
    const words = [...(snapshot?.flags ?? []), '--snapshot-blob', snapshot?.file ?? ''];
    sandbox.write('other/hook.cjs', '');
    const other = start(process.execPath, [...words, sandbox.path('other/hook.cjs'), 'claude'], {});
    expect(other).toMatchObject({ status: 14, stdout: '' });
  });

  it('bring compiled code of Node’s own modules only for what starts programs [START-1]', async () => {
    const { snapshot } = launcherParts(realpathSync(sandbox.home));
    const script: string = join(ROOT, 'scripts', 'snapshot-file.js');
    const { compiledModules }: { compiledModules(file: Buffer): string[] | undefined } = await import(script);
    const compiled = compiledModules(readFileSync(snapshot?.file ?? ''));
    expect(compiled).toContain('child_process');
    expect(compiled).not.toContain('http');
  });

  /** Names of built files are said by those that load them. */
  function named(file: string, name: RegExp): string {
    const found = name.exec(readFileSync(join(ROOT, 'dist', file), 'latin1'))?.[0] ?? '';
    return join('program', found);
  }

  /** A script that says of others whether V8 refuses the code that was compiled for them. */
  function refusals(files: string[]): string {
    const made = `.${process.version}-${process.platform}-${process.arch}-snapshot`;
    return `const { readFileSync } = require('node:fs');
      const { Script } = require('node:vm');
      for (const file of ${JSON.stringify(files.map((name) => join(ROOT, 'dist', name)))}) {
        const cachedData = readFileSync(file + ${JSON.stringify(made)});
        const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData });
        console.log(script.cachedDataRejected);
      }`;
  }

  it('are made of compiled code that V8 takes meanwhile [START-1]', () => {
    sandbox.write('builder.cjs', refusals([named('hook.cjs', /hook-\w+\.js/)]));
    const words = ['--no-warnings', '--snapshot-blob', sandbox.path('made.blob'), '--build-snapshot'];
    const built = start(process.execPath, [...words, sandbox.path('builder.cjs')], {});
    expect(built).toEqual({ status: 0, stdout: 'false\n', stderr: '' });
  });

  it('have compiled code for what they load later that V8 takes [START-1]', () => {
    const { snapshot } = launcherParts(realpathSync(sandbox.home));
    const words = [...(snapshot?.flags ?? []), '--snapshot-blob', snapshot?.file ?? ''];
    const program = named('hook.cjs', /hook-\w+\.js/);
    const later = [named(program, /hook\.rest-\w+\.js/), named('load-session.cjs', /session-\w+\.js/)];
    sandbox.write('trial.cjs', `module.exports = async () => { ${refusals(later)} };`);
    const tried = start(process.execPath, [...words, '/', '--try', sandbox.path('trial.cjs')], {});
    expect(tried).toEqual({ status: 14, stdout: 'false\nfalse\n', stderr: '' });
  });

  it('refuse where the rest of their program is gone [START-1]', () => {
    mkdirSync(sandbox.path('copy'));
    cpSync(join(ROOT, 'dist'), sandbox.path('copy/dist'), {
      recursive: true,
      filter: (path) => !/hook\.rest-[^/]*$|\.blob$|types|library/.test(path),
    });
    symlinkSync(join(ROOT, 'node_modules'), sandbox.path('copy/node_modules'));
    openLedger({ path: join(sandbox.home, 'ledger.db') }).close();
    const told = payload('Write', { file_path: sandbox.path('shop/.guardkit/config.yaml'), content: '' });
    const said = start(process.execPath, [sandbox.path('copy/dist/hook.cjs'), 'claude'], told);
    expect(said).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('hook.rest-') });
  });
});

describe('a command with a snapshot of its own', () => {
  const LINE = ['config', 'explain', 'gates', '--type', 'feature', '--complexity', '5'];

  function run(command: string, args: string[]) {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: sandbox.path('shop'),
      env: sandbox.env,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  }

  it('says what the program says, also through a link [START-1]', () => {
    for (const line of QUICK_LINES)
      expect(existsSync(join(ROOT, 'dist', `${line.split(' ')[1]}.blob`))).toBe(true);
    const said = run(process.execPath, [join(ROOT, 'bin', 'guardkit.js'), ...LINE]);
    symlinkSync(join(ROOT, 'bin', 'guardkit'), sandbox.path('link'));
    expect(said.stdout).toContain('Quality gates for feature');
    expect(run(sandbox.path('link'), LINE)).toEqual(said);
    expect(run(join(ROOT, 'bin', 'guardkit'), ['config', 'explain', 'nothing'])).toMatchObject({ status: 2 });
  });

  it('does without where it was made for another Node, or is none [START-1]', () => {
    mkdirSync(sandbox.path('copy/bin'), { recursive: true });
    mkdirSync(sandbox.path('copy/dist'));
    for (const name of ['guardkit', 'guardkit.js', 'package.json'])
      copyFileSync(join(ROOT, 'bin', name), sandbox.path('copy/bin', name));
    symlinkSync(join(ROOT, 'dist', 'bin.cjs'), sandbox.path('copy/dist/bin.cjs'));
    const said = run(process.execPath, [join(ROOT, 'bin', 'guardkit.js'), ...LINE]);
    expect(run(sandbox.path('copy/bin/guardkit'), LINE)).toEqual(said);
    writeFileSync(sandbox.path('copy/dist/explain.blob'), 'no snapshot');
    const begin = readFileSync(join(ROOT, 'dist', 'quick.start'), 'utf8');
    writeFileSync(
      sandbox.path('copy/dist/quick.start'),
      begin.replace(/^made_with=.*/, "made_with='/nowhere'"),
    );
    expect(run(sandbox.path('copy/bin/guardkit'), LINE)).toEqual(said);
  });
});
