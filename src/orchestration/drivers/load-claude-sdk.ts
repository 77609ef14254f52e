import { GuardKitError } from '../../guardkit-error.ts';

export type ClaudeSdk = Pick<typeof import('@anthropic-ai/claude-agent-sdk'), 'query'>;

/** Set in the built program, a script that cannot use `import()` itself. */
declare const __import: ((name: string) => Promise<ClaudeSdk>) | undefined;

const importSdk = (): Promise<ClaudeSdk> =>
  typeof __import === 'undefined'
    ? import('@anthropic-ai/claude-agent-sdk')
    : __import('@anthropic-ai/claude-agent-sdk');

/** Loads the optional SDK. */
export async function loadClaudeSdk(load: () => Promise<ClaudeSdk> = importSdk): Promise<ClaudeSdk> {
  try {
    return await load();
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
    throw new GuardKitError({
      code: missing ? 'driver.sdk-missing' : 'driver.sdk-broken',
      kind: 'outside',
      message: missing
        ? 'The claude driver needs the Claude Agent SDK, which is not installed.'
        : `Cannot load the Claude Agent SDK: ${(cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '')}.`,
      hint: 'Run `npm install @anthropic-ai/claude-agent-sdk` where GuardKit is installed (with -g if global), or choose another driver.',
      cause,
    });
  }
}
