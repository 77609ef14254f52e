import { createHash } from 'node:crypto';

/** A hook as Codex identifies it for the person's trust. */
export interface TrustedHook {
  event: string;
  command: string;
  /** Seconds. */
  timeout: number;
}

/**
 * The entries of Codex's `config.toml` that trust the hooks of a file with one group per event. Only for folders that
 * GuardKit makes itself: whether to trust hooks in a person's own folder is the person's decision.
 */
export function codexTrust(hooksFile: string, hooks: readonly TrustedHook[]): string {
  return hooks
    .map(({ event, command, timeout }) => {
      const name = event.replace(/(?!^)([A-Z])/g, '_$1').toLowerCase();
      // Keys in alphabetical order, without spaces.
      const definition = JSON.stringify({
        event_name: name,
        hooks: [{ async: false, command, timeout, type: 'command' }],
      });
      const hash = createHash('sha256').update(definition).digest('hex');
      return `[hooks.state.${JSON.stringify(`${hooksFile}:${name}:0:0`)}]\ntrusted_hash = "sha256:${hash}"\n`;
    })
    .join('');
}
