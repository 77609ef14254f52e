import { type Field, plainField } from '../words/field.ts';
import { type Call, runShellText, use } from './call.ts';
import type { ReadOptions } from './read-options.ts';

/** Settings with a command that git runs. */
const RUNS =
  /^(?:core\.(?:editor|pager|sshcommand|fsmonitor|askpass|gitproxy)|sequence\.editor|diff\.external|credential\.helper|gpg\.program|gpg\..*\.program|.*\.(?:textconv|clean|smudge|process|command|cmd|driver|tool|helper)|pager\..*|interactive\.difffilter|uploadpack\.packobjectshook|remote\..*\.(?:uploadpack|receivepack)|browser\..*)$/i;
/** Settings with paths of files that git runs or reads. */
const PLACES =
  /^(?:core\.(?:hookspath|worktree|attributesfile|excludesfile)|include\.path|includeif\..*\.path|init\.templatedir|commit\.template)$/i;

/** Records what git runs or reads because of a setting. */
export function useSetting(call: Call, name: string, value: string): void {
  call.shell.findings.literal(value);
  if (/^alias\./i.test(name) && value.startsWith('!')) runShellText(call, value.slice(1));
  else if (RUNS.test(name) && !/^(?:true|false|cat|)$/.test(value)) {
    call.shell.findings.unclear(`git runs the command in ${name}`);
    runShellText(call, value.replace(/^!/, ''));
  } else if (PLACES.test(name)) {
    use(call, 'mention', plainField(value));
    call.shell.findings.unclear(`git uses the path in ${name}`);
  }
}

/** Whether `git config` writes. */
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
