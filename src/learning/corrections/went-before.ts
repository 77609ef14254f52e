/** What a prompt came after. */
export interface PromptBefore {
  /** The agent's last words. */
  message: string;
  /** What it did since the prompt before. */
  tools: readonly { tool: string; target: string }[];
  /** Files of the project that it changed. */
  edited: readonly string[];
  /** What the person cut short. */
  interrupted?: { tool: string; target: string } | undefined;
  /** Of the changed files, those that are as they were again, and not by the agent's doing. */
  putBack?: readonly string[] | undefined;
  /** What the person said before in this session, the oldest first. */
  earlierPrompts?: readonly string[] | undefined;
}
