/** One event of an agent's hook, as its client passes it on. */
export interface HookRequest {
  agent: string;
  /** The program that the client would otherwise start, and its Node. */
  build: string;
  /** Folder that the hook was started in. */
  cwd: string;
  /** The process that started the client. */
  parent: number;
  /** Unique for each start of a client. */
  event: string;
  env: Record<string, string>;
  payload: string;
}

/** The environment of a client, an empty entry, and the event. Entries end with a zero byte; `=name=` marks the client's own. */
export function readHookRequest(agent: string, body: Buffer): HookRequest | undefined {
  const end = body.indexOf('\0\0');
  if (end === -1) return undefined;
  const entries = body.toString('utf8', 0, end).split('\0');
  const env: Record<string, string> = {};
  const own: Record<string, string> = {};
  for (const entry of entries) {
    const at = entry.indexOf('=', 1);
    if (at === -1) return undefined;
    if (entry.startsWith('=')) own[entry.slice(1, at)] = entry.slice(at + 1);
    else env[entry.slice(0, at)] = entry.slice(at + 1);
  }
  const { build = '', cwd = '', parent = '', event = '' } = own;
  if (!cwd.startsWith('/') || !/^\d{1,9}$/.test(parent) || !/^[\w-]{8,64}$/.test(event)) return undefined;
  return { agent, build, cwd, parent: Number(parent), event, env, payload: body.toString('utf8', end + 2) };
}
