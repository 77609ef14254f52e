/**
 * What an agent may not change, whatever it is told to do: the project's rules and definitions, and the settings and
 * hooks of agents themselves. Paths are relative to the project, with `/`.
 */
const ALWAYS: readonly RegExp[] = [
  /^\.guardkit\/(?!logs\/)/,
  /^tasks\/(?:[^/]+\/)*TASK-[^/]+\.md$/,
  /^\.claude\/(?:settings(?:\.local)?\.json$|hooks\/|agents\/|commands\/|progress\/)/,
  /^\.(?:codex|gemini|cursor|opencode)\//,
  /^\.mcp\.json$/,
];

export function isProtectedPath(path: string): boolean {
  return ALWAYS.some((pattern) => pattern.test(path));
}
