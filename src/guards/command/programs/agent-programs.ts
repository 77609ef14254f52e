import { HOLE, plainField } from '../words/field.ts';
import { type Program, type Programs, use } from './call.ts';
import { runUnknown } from './run-file.ts';

/** Coding agents, each with a settings file in the home folder. */
const SETTINGS: Readonly<Record<string, string>> = {
  claude: '.claude/settings.json',
  codex: '.codex/config.toml',
  copilot: '.copilot/settings.json',
  'cursor-agent': '.cursor/mcp.json',
  gemini: '.gemini/settings.json',
  opencode: '.config/opencode/opencode.json',
  qwen: '.qwen/settings.json',
};

/** Subcommands that manage what the agent loads and runs. */
const MANAGES = /^(?:mcp|plugins?|extensions?|skills?|agents?|hooks?|config|features|sandbox)$/;
const SHOWS = /^(?:list|ls|get|show|info|view|status|path|help|search|validate|-h|--help|debug|doctor)$/;

/** A command such as `qwen mcp add` changes the person's settings, wherever the program keeps them. */
const agent: Program = (call) => {
  const words = call.args.map(({ text }) => text);
  const at = words.findIndex((word) => MANAGES.test(word));
  const settings = SETTINGS[call.name];
  // Options may come first, with values; a prompt is not a single such word.
  const isOption = (word = '') => word.startsWith('-');
  const isManaged =
    at >= 0 && words.slice(0, at).every((word, index) => isOption(word) || isOption(words[index - 1]));
  const next = words.slice(at + 1).find((word) => !word.startsWith('--') || word === '--help');
  if (settings !== undefined && isManaged && next !== undefined && !SHOWS.test(next))
    use(call, 'write', plainField(`${call.frame.scope.home}/${settings}`));
  runUnknown(call);
  call.shell.findings.unclear(
    `runs ${[call.name, words.find((word) => !word.startsWith('-'))].join(' ').trim()}`,
  );
  return HOLE;
};

export const AGENT_PROGRAMS: Programs = Object.fromEntries(
  Object.keys(SETTINGS).map((name) => [name, agent]),
);
