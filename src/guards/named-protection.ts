import { AGENT_FOLDERS, type Protection } from '../domain/protection/protected-paths.ts';

/**
 * Names that no other file is likely to have, in any surrounding text. Each with lower-case strings that every match
 * contains: checking these first is faster, since most texts have none.
 */
const NAMES: readonly (readonly [readonly string[], RegExp, Protection])[] = [
  [['feature-list.json'], /feature-list\.json/i, 'feature-list'],
  [['session-state.json'], /session-state\.json/i, 'session-state'],
  [['.guardkit'], /\.guardkit\/(?!logs(?:\/|$))|(?:^|[\s/'"`=(,])\.guardkit(?=$|[\s'"`),;])/i, 'definition'],
  [['task-'], /TASK-[^\s/'"`]{1,100}\.md/, 'definition'],
  [
    ['.claude/'],
    /\.claude\/(?:settings(?:\.local)?\.json|hooks\/|agents\/|commands\/|skills\/|plugins\/)/i,
    'agent-settings',
  ],
  [['.mcp.json'], /(?:^|[\s/'"`=(,])\.mcp\.json/i, 'agent-settings'],
  [
    AGENT_FOLDERS.map((folder) => `${folder}/`),
    /\.(?:codex|gemini|cursor|opencode|qwen)\/(?:config|settings|hooks)/i,
    'agent-settings',
  ],
  [
    ['.github/', '.agents/'],
    /\.github\/(?:(?:hooks|copilot|skills|agents|extensions)\/|(?:mcp|lsp)\.json)|\.agents\/skills\//i,
    'agent-settings',
  ],
  [
    ['.git/', '.gitconfig', 'refs/guardkit/'],
    /\.git\/(?:hooks\/|config\b|info\/attributes)|\.gitconfig\b|refs\/guardkit\//i,
    'git-internals',
  ],
  [['ledger.db'], /(?:^|\/)ledger\.db\b/, 'data'],
];

const MAX_TEXT = 100_000;

/** The protected file that a text names, if its final path is not known. */
export function namedProtection(text: string, dataFolder?: string): Protection | undefined {
  const plain = withoutDetours(text.slice(0, MAX_TEXT));
  const small = plain.toLowerCase();
  const named = NAMES.find(
    ([parts, pattern]) => parts.some((part) => small.includes(part)) && pattern.test(plain),
  )?.[2];
  if (named !== undefined) return named;
  return dataFolder !== undefined && plain.includes(`${dataFolder}/`) ? 'data' : undefined;
}

function withoutDetours(text: string): string {
  return text.includes('//') || text.includes('/./') ? text.replace(/\/(?:\.?\/)+/g, '/') : text;
}
