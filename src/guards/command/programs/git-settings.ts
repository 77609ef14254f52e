import { type Field, plainField } from '../words/field.ts';
import { type Call, runShellText, use } from './call.ts';
import type { ReadOptions } from './read-options.ts';

/** Settings whose value git runs. */
const RUNS =
  /^(?:core\.(?:editor|pager|sshcommand|fsmonitor|askpass|gitproxy)|sequence\.editor|diff\.external|credential\.helper|gpg\.program|gpg\..*\.program|.*\.(?:textconv|clean|smudge|process|command|cmd|driver|tool|helper)|pager\..*|interactive\.difffilter|uploadpack\.packobjectshook|remote\..*\.(?:uploadpack|receivepack)|browser\..*)$/i;
/** Settings that say where git finds what it runs or reads. */
const PLACES =
  /^(?:core\.(?:hookspath|worktree|attributesfile|excludesfile)|include\.path|includeif\..*\.path|init\.templatedir|commit\.template)$/i;

/** Records what a setting makes git run or read. */
export function useSetting(call: Call, name: string, value: string): void {
  call.shell.findings.literal(value);
  if (/^alias\./i.test(name) && value.startsWith('!')) runShellText(call, value.slice(1));
  else if (RUNS.test(name) && !/^(?:true|false|cat|)$/.test(value)) {
    call.shell.findings.unclear(`git runs what ${name} says`);
    runShellText(call, value.replace(/^!/, ''));
  } else if (PLACES.test(name)) {
    use(call, 'mention', plainField(value));
    call.shell.findings.unclear(`git uses what ${name} names`);
  }
}

/** Whether options of `git config` make it write. */
export function hasWriteFlag(options: ReadOptions): boolean {
  return options.has(
    'unset',
    'unset-all',
    'edit',
    'e',
    'add',
    'replace-all',
    'remove-section',
    'rename-section',
  );
}

/** The file that `git config` reads or writes. */
export function configFile(call: Call, options: ReadOptions): Field {
  const named = options.value('f', 'file');
  if (named !== undefined) return named;
  if (options.has('global')) return plainField(`${call.frame.scope.home}/.gitconfig`);
  if (options.has('system')) return plainField('/etc/gitconfig');
  return plainField(options.has('worktree') ? '.git/config.worktree' : '.git/config');
}
