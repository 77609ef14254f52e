import { GuardKitError } from '../../guardkit-error.ts';

export type ClaudeSdk = Pick<typeof import('@anthropic-ai/claude-agent-sdk'), 'query'>;

/** Handed to the built program, which is a script and cannot import by itself. */
declare const __import: ((name: string) => Promise<ClaudeSdk>) | undefined;

const importSdk = (): Promise<ClaudeSdk> =>
  typeof __import === 'undefined'
    ? import('@anthropic-ai/claude-agent-sdk')
    : __import('@anthropic-ai/claude-agent-sdk');

/** Loads the SDK, which people install who want it. */
export async function loadClaudeSdk(load: () => Promise<ClaudeSdk> = importSdk): Promise<ClaudeSdk> {
  try {
    return await load();
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
    throw new GuardKitError({
      code: missing ? 'driver.sdk-missing' : 'driver.sdk-broken',
      kind: 'outside',
      message: missing
        ? 'The Claude Agent SDK, which the claude driver talks through, is not installed here.'
        : `The Claude Agent SDK could not be loaded: ${(cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '')}.`,
      hint: 'Run npm install @anthropic-ai/claude-agent-sdk where GuardKit is installed (with -g if that is global), or choose another driver.',
      cause,
    });
  }
}
