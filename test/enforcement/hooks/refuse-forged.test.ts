import { describe, expect, test } from 'vitest';
import { hookStarter, isHookShell, type StartedBy } from '../../../src/enforcement/hooks/refuse-forged.ts';
import {
  ownHookCommand,
  sharedHookCommand,
  timedHookCommand,
} from '../../../src/enforcement/install/hook-launcher.ts';

const SH = '/usr/bin/dash';
const AGENT = 100;
const LAUNCHER = ['/bin/sh', '/data/bin/guardkit-hook', 'claude'];
const COMMAND = ['/bin/sh', '-c', ownHookCommand('/data', 'claude').refusing];

/** A chain of processes from the hook's parent up to the agent. */
function starter(...chain: { words: readonly string[]; program?: string }[]): number | undefined {
  const rows = chain.map(({ words, program = SH }, index): StartedBy => {
    const pid = 10 + index;
    return { pid, parent: index === chain.length - 1 ? AGENT : pid + 1, program, words };
  });
  const agent: StartedBy = { pid: AGENT, parent: 1, program: '/usr/bin/node', words: ['claude'] };
  return hookStarter(rows[0]?.pid ?? AGENT, isHookShell('claude', '/data', SH), (pid) =>
    [...rows, agent].find((one) => one.pid === pid),
  );
}

describe('the process that started a hook', () => {
  test('is the agent, if its settings run the launcher', () => {
    expect(starter({ words: LAUNCHER }, { words: COMMAND })).toBe(AGENT);
    const shared = ['/bin/sh', '-c', sharedHookCommand('claude').beginning];
    expect(starter({ words: [...LAUNCHER, '--never-refuse'] }, { words: shared })).toBe(AGENT);
  });

  test('is the agent if a shell replaced itself, or there was none', () => {
    expect(starter({ words: LAUNCHER })).toBe(AGENT);
    expect(starter()).toBe(AGENT);
  });

  test.each([
    ['a script', { words: ['bash', 'e.sh'], program: '/usr/bin/bash' }],
    ['a shell with another command', { words: ['/bin/sh', '-c', 'x; guardkit hook claude'] }],
    ['another program that shows the words of a shell', { words: COMMAND, program: '/usr/bin/perl' }],
    ['a launcher of another folder', { words: ['/bin/sh', '/other/bin/guardkit-hook', 'claude'] }],
  ])('is %s that pipes an event into the launcher', (_, forger) => {
    expect(starter({ words: LAUNCHER }, { words: COMMAND }, forger)).toBe(12);
    expect(starter(forger)).toBe(10);
  });

  test('is the agent, if it runs hooks in the person’s shell', () => {
    const isShell = isHookShell('codex', '/data', SH, new Set(['/usr/bin/bash']));
    const { refusing, stopping } = timedHookCommand('/data', 'codex');
    const shell = (text: string, program = '/usr/bin/bash') =>
      isShell({ program, words: ['bash', '-c', text] });
    expect([shell(refusing), shell(stopping)]).toEqual([true, true]);
    expect(shell(`${refusing}; x`)).toBe(false);
    const quiet = ['bash', '--norc', '--noprofile', '-c', refusing];
    expect(isShell({ program: '/usr/bin/bash', words: quiet })).toBe(true);
    expect(isShell({ program: '/usr/bin/bash', words: [...quiet.slice(0, 3), 'x', '-c', refusing] })).toBe(
      false,
    );
    expect(shell(refusing, '/home/ada/bash')).toBe(false);
    expect(isShell({ program: '/usr/bin/bash', words: ['bash', '/data/bin/guardkit-hook', 'codex'] })).toBe(
      false,
    );
  });

  test('is not searched behind more shells than a hook has', () => {
    expect(starter({ words: LAUNCHER }, { words: COMMAND }, { words: COMMAND })).toBe(12);
    expect(starter({ words: LAUNCHER }, { words: LAUNCHER }, { words: COMMAND })).toBe(AGENT);
    expect(starter({ words: LAUNCHER }, { words: LAUNCHER }, { words: COMMAND }, { words: COMMAND })).toBe(
      13,
    );
  });
});
