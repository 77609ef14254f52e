import type { CommandAnalysis } from '../../guards/command/analyse-command.ts';

/** Programs that have something done later, by a process that is none of theirs. */
const SCHEDULERS: readonly string[] = [
  'at',
  'batch',
  'crontab',
  'systemd-run',
  'launchctl',
  'fcrontab',
  'schtasks',
];

/** Whether a command asks the system to run something later. */
export function schedulesWork({ invocations }: Pick<CommandAnalysis, 'invocations'>): boolean {
  return invocations.some(({ program }) => SCHEDULERS.includes(program));
}
