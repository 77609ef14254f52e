import { codexAgent } from './codex.ts';
import { copilotAgent } from './copilot.ts';
import { geminiAgent } from './gemini.ts';
import { opencodeAgent } from './opencode.ts';
import { qwenAgent } from './qwen.ts';

/** The agents that run as programs, with their settings. */
export const CLI_AGENTS = {
  codex: codexAgent,
  copilot: copilotAgent,
  gemini: geminiAgent,
  opencode: opencodeAgent,
  qwen: qwenAgent,
} as const;
