import type { McpContext } from '../mcp-context.ts';

/** What a person asks for by its name, such as `/why`: words for the model, with the facts in them. */
export interface McpPrompt {
  readonly name: string;
  readonly description: string;
  readonly argument: { readonly name: string; readonly description: string; readonly required: boolean };
  /** `given` is empty where the argument was left out. */
  text(context: McpContext, given: string): Promise<string>;
}

export const MAX_ARGUMENT = 2000;
