import { codexAgent } from './codex.ts';
import { geminiAgent } from './gemini.ts';
import { opencodeAgent } from './opencode.ts';

/** The agents that run as programs, with their settings. */
export const CLI_AGENTS = { codex: codexAgent, gemini: geminiAgent, opencode: opencodeAgent } as const;
