import type { Invocation } from '../command/command-analysis.ts';
import type { GuardFacts, Objection } from '../guard.ts';

/** Asks about commands that let a process outside the agent's sandbox run something. */
export function leavesSandbox(invocation: Invocation, { root }: GuardFacts): Objection | undefined {
  const { program, argv, wrappers } = invocation;
  const args = argv.slice(1);
  if (wrappers.includes('systemd-run')) return schedules('systemd-run');
  switch (program) {
    case 'kill':
    case 'pkill':
    case 'killall':
      return sendsInspectorSignal(args) ? opensInspector() : undefined;
    case 'ssh':
    case 'autossh':
      return args.some((word) => HERE.test(word))
        ? ask('logs in to this machine again', RUN_HERE)
        : undefined;
    case 'systemd-run':
    case 'batch':
      return schedules(program);
    case 'at':
      return args.some((word) => /^-[lcdrV]/.test(word)) ? undefined : schedules(program);
    case 'crontab':
      return args.some((word) => /^-[A-Za-z]*[lr]/.test(word)) || args.length === 0
        ? undefined
        : schedules(program);
    case 'launchctl':
      return /^(?:submit|load|bootstrap|kickstart|start)$/.test(args[0] ?? '')
        ? schedules(program)
        : undefined;
    case 'machinectl':
      return args[0] === 'shell' ? ask('opens another session of this user', RUN_HERE) : undefined;
    case 'tmux':
      return talksToPersonsTmux(args)
        ? ask(
            'types into a terminal of the person',
            'Start a tmux server of your own with `tmux -L NAME new-session -d`.',
          )
        : undefined;
    case 'docker':
    case 'podman':
    case 'nerdctl':
      return mountsTooMuch(args, root)
        ? ask('gives a container this machine’s files', 'Mount the project’s folder only.')
        : undefined;
    default:
      return INSPECTING.test(program) && codeSendsSignal([...args, invocation.stdin ?? ''])
        ? opensInspector()
        : undefined;
  }
}

const RUN_HERE = 'Run the command directly.';
const HERE =
  /^(?:[^@\s]{1,100}@)?(?:localhost(?:\.localdomain)?|ip6-localhost|127(?:\.\d{1,3}){1,3}|0(?:\.0\.0\.0)?|\[?::1\]?)$/i;
const INSPECTING = /^(?:node|nodejs|bun|deno|tsx|python[\d.]*|ruby[\d.]*|perl[\d.]*)$/;

/** SIGUSR1 starts Node's debugger, which can run any code. */
function sendsInspectorSignal(args: readonly string[]): boolean {
  const own = args.filter((word) => !word.startsWith('-')).every((word) => /^%\d+$/.test(word));
  if (own && args.length > 1) return false;
  return args.some((word, at) => {
    if (/^-(?:(?:SIG)?USR1|10)$/i.test(word)) return true;
    const value = /^(?:--signal=|-s|-n)(.+)$/.exec(word)?.[1];
    const next = /^(?:-s|-n|--signal)$/.test(word) ? args[at + 1] : value;
    return next !== undefined && /^(?:(?:SIG)?USR1|10)$/i.test(next);
  });
}

function codeSendsSignal(texts: readonly string[]): boolean {
  return (
    texts.some((text) => /\bkill\b/.test(text) && /SIGUSR1|\bUSR1\b|_debugProcess/.test(text)) ||
    texts.some((text) => text.includes('_debugProcess'))
  );
}

function opensInspector(): Objection {
  return ask(
    'sends SIGUSR1, which opens the debugger of a Node process',
    'Use another signal, or restart the process that you started.',
  );
}

function schedules(program: string): Objection {
  return ask(
    `has ${program} run something outside this session`,
    'Run it directly, in the background if it takes long.',
  );
}

/** Whether tmux sends input to the default server, which the person's own tmux uses. */
function talksToPersonsTmux(args: readonly string[]): boolean {
  const named = args.some(
    (word, at) =>
      (args[at - 1] === '-L' && word === 'default') || (args[at - 1] === '-S' && /\/tmux-\d+\//.test(word)),
  );
  return (
    named &&
    args.some((word) =>
      /^(?:send(?:-keys)?|run(?:-shell)?|respawn-|new-window|neww|split|pipe|if-shell|source)/.test(word),
    )
  );
}

/** Whether a container gets host privileges, or a folder above the project such as the home folder or the whole disk. */
function mountsTooMuch(args: readonly string[], root: string): boolean {
  return args.some((word, at) => {
    if (/^--privileged(?:=true)?$|^--pid=host$/.test(word)) return true;
    if (word === '--pid' && args[at + 1] === 'host') return true;
    const attached = /^(?:-v|--volume=|--mount=)(.+)$/.exec(word)?.[1];
    const value = /^(?:-v|--volume|--mount)$/.test(word) ? args[at + 1] : attached;
    if (value === undefined) return false;
    const source = /(?:^|,)(?:src|source)=([^,]{1,4096})/.exec(value)?.[1] ?? value.split(':', 1)[0] ?? '';
    const folder = source.replace(/\/+$/, '');
    return source.startsWith('/') && (folder === '' || root.startsWith(`${folder}/`));
  });
}

function ask(what: string, guidance: string): Objection {
  return { decision: 'ask', reason: `This command ${what}.`, guidance };
}
