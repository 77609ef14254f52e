import { GuardKitError } from '../../../guardkit-error.ts';
import type { CliContext, OtherInterfaces } from './cli-command.ts';

/** Those that the program's entry has loaded; the others only report that they are missing. */
export function otherInterfaces(
  loaded: OtherInterfaces,
): Pick<CliContext, 'serveMcp' | 'serve' | 'openDashboard' | 'writeReport' | 'writeCiReport'> {
  return {
    serveMcp: loaded.serveMcp ?? (() => Promise.reject(notServed('mcp'))),
    serve: loaded.serve ?? (() => Promise.reject(notServed('serve'))),
    openDashboard: loaded.openDashboard ?? (() => Promise.reject(notServed('ui'))),
    writeReport: loaded.writeReport ?? (() => Promise.reject(notServed('ui'))),
    writeCiReport: loaded.writeCiReport,
  };
}

function notServed(command: 'mcp' | 'serve' | 'ui'): GuardKitError {
  return new GuardKitError({
    code: `${command}.not-here`,
    kind: 'outside',
    message: 'Only the installed program can run as a server.',
    hint: `Run \`guardkit ${command}\`.`,
  });
}
