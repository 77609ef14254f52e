import type { McpContext } from '../mcp-context.ts';

/** A prompt that a person starts by name, such as `/why`: instructions and facts for the model. */
export interface McpPrompt {
  readonly name: string;
  readonly description: string;
  readonly argument: { readonly name: string; readonly description: string; readonly required: boolean };
  /** `given` is empty if the argument was omitted. */
  text(context: McpContext, given: string): Promise<string>;
}

export const MAX_ARGUMENT = 2000;
