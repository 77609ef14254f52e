import type * as z from 'zod';
import { isObject } from '../../domain/json/plain-shape.ts';
import { describeWrongCall } from './describe-wrong-call.ts';
import type { McpContext } from './mcp-context.ts';

/** What a model is answered; an answer that is a no says what to do instead. */
export interface ToolAnswer {
  text: string;
  /** It was not done. */
  refused?: boolean;
  /** Of a refusal: tells kinds of them apart, however they are worded. */
  code?: string;
}

/** The code of a call that does not fit what a tool takes. */
export const WRONG_CALL = 'call.wrong';

/** One tool, as data: what clients are told of it is made from this. */
export interface McpTool {
  readonly name: string;
  /** Short: a model reads all of them in every session. */
  readonly description: string;
  /** It changes nothing that anybody could miss. */
  readonly readOnly: boolean;
  /** What it takes, in this project and today: a project may have further values. */
  input(context: McpContext): Promise<z.ZodObject>;
  /** `input` is unparsed. */
  run(context: McpContext, input: unknown): Promise<ToolAnswer>;
}

interface ToolDeclaration<Shape extends z.ZodRawShape> {
  name: string;
  description: string;
  readOnly: boolean;
  input: z.ZodObject<Shape>;
  run(context: McpContext, input: z.infer<z.ZodObject<Shape>>): Promise<ToolAnswer>;
}

/** Models fill in every parameter there is: null was not given. */
export function withoutNulls(given: unknown): unknown {
  if (!isObject(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

/** Declares a tool whose input is parsed by its schema before it runs. */
export function defineTool<Shape extends z.ZodRawShape>(declaration: ToolDeclaration<Shape>): McpTool {
  const { name, description, readOnly, input, run } = declaration;
  return {
    name,
    description,
    readOnly,
    input: async () => input,
    async run(context, given) {
      const parsed = input.safeParse(withoutNulls(given));
      if (parsed.success) return run(context, parsed.data);
      return { refused: true, code: WRONG_CALL, text: describeWrongCall(name, input, parsed.error) };
    },
  };
}
