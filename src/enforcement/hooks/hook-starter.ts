import { realpathSync } from 'node:fs';
import { commandOf, programOf, readProcess } from '../../platform/processes/process-table.ts';
import { ownHookCommand, sharedHookCommand } from '../install/hook-command.ts';
import { launcherPath } from '../install/launcher.ts';

/** A process above a hook, as the system shows it. */
export interface StartedBy {
  pid: number;
  parent: number;
  /** The file of its program: unlike its words, nobody can make this up. */
  program: string;
  words: readonly string[];
}

/** The settings' command and the launcher; a shell may leave out either. */
const MAX_SHELLS = 2;

/**
 * The process that had a hook run: the first above this one that is no shell of the hook's own command. Undefined where the
 * system does not tell.
 */
export function findHookStarter(agent: string, dataFolder: string): number | undefined {
  return hookStarter(process.ppid, isHookShell(agent, dataFolder, shellProgram()), (pid) => {
    const row = readProcess(pid);
    const words = commandOf(pid);
    return row && words && { pid, parent: row.parent, program: programOf(pid), words };
  });
}

/** Pure but for what it is given to ask. */
export function hookStarter(
  first: number,
  isShell: (one: StartedBy) => boolean,
  find: (pid: number) => StartedBy | undefined,
): number | undefined {
  let pid = first;
  for (let shells = 0; ; shells++) {
    const one = find(pid);
    if (!one) return undefined;
    if (shells === MAX_SHELLS || !isShell(one)) return pid;
    pid = one.parent;
  }
}

/** Whether a process is a shell that runs nothing but a hook's command, by the words that it was started with. */
export function isHookShell(
  agent: string,
  dataFolder: string,
  shell: string,
): (one: Pick<StartedBy, 'program' | 'words'>) => boolean {
  const own = ownHookCommand(dataFolder, agent);
  const shared = sharedHookCommand(agent);
  const texts = [...Object.values(own), ...Object.values(shared), `guardkit hook ${agent}`];
  const launcher = launcherPath(dataFolder);
  return ({ program, words: [, first = '', second = '', ...more] }) => {
    if (program !== shell) return false;
    if (first === '-c') return more.length === 0 && texts.includes(second);
    return first === launcher && second === agent;
  };
}

export function shellProgram(): string {
  try {
    return realpathSync.native('/bin/sh');
  } catch {
    // Safe: without a shell no process is one.
    return '';
  }
}
