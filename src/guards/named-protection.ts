import type { Protection } from '../domain/protected-paths.ts';

/** Names that no other file is likely to have. What stands around them may be anything. */
const NAMES: readonly (readonly [RegExp, Protection])[] = [
  [/feature-list\.json/i, 'feature-list'],
  [/session-state\.json/i, 'session-state'],
  [/\.guardkit\/(?!logs(?:\/|$))|(?:^|[\s/'"`=(,])\.guardkit(?=$|[\s'"`),;])/i, 'definition'],
  [/TASK-[^\s/'"`]{1,100}\.md/, 'definition'],
  [
    /\.claude\/(?:settings(?:\.local)?\.json|hooks\/|agents\/|commands\/|skills\/|plugins\/)/i,
    'agent-settings',
  ],
  [/(?:^|[\s/'"`=(,])\.mcp\.json/i, 'agent-settings'],
  [/\.(?:codex|gemini|cursor|opencode)\/(?:config|settings|hooks)/i, 'agent-settings'],
  [/\.git\/(?:hooks\/|config\b|info\/attributes)|\.gitconfig\b|refs\/guardkit\//i, 'git-internals'],
  [/(?:^|\/)ledger\.db\b/, 'data'],
];

const MAX_TEXT = 100_000;

/** What protected thing a text names, where nobody can tell which path will come of it. */
export function namedProtection(text: string, dataFolder?: string): Protection | undefined {
  const plain = text.slice(0, MAX_TEXT).replace(/\/(?:\.?\/)+/g, '/');
  const named = NAMES.find(([pattern]) => pattern.test(plain))?.[1];
  if (named !== undefined) return named;
  return dataFolder !== undefined && plain.includes(`${dataFolder}/`) ? 'data' : undefined;
}
