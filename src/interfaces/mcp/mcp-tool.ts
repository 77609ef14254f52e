import * as z from 'zod';
import { cleanText } from '../../domain/json/clean-text.ts';
import { issueText } from '../../domain/json/describe-issues.ts';
import { isObject } from '../../domain/json/plain-shape.ts';
import { didYouMean, nearestWord } from '../../domain/nearest-word.ts';
import type { McpContext } from './mcp-context.ts';

/** The answer to a model; a refusal includes what to do instead. */
export interface ToolAnswer {
  text: string;
  /** It was not done. */
  refused?: boolean;
  /** The code of a refusal. */
  code?: string;
}

/** The code of an invalid call. */
export const WRONG_CALL = 'call.wrong';

/** One tool, as data; its description for clients is generated from it. */
export interface McpTool {
  readonly name: string;
  /** Short: a model reads all of them in every session. */
  readonly description: string;
  /** It changes no project data. */
  readonly readOnly: boolean;
  /** Its input schema; a project may add values. */
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

/** Models fill in every parameter: null counts as omitted. */
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

const SHOWN = 8;
const MAX_WORD = 60;

/** Explains an invalid call, so that the model can correct it. */
export function describeWrongCall(tool: string, input: z.ZodObject, error: z.ZodError): string {
  const names = Object.keys(input.shape);
  const lines = withoutFollowing(error.issues).flatMap((issue) => describe(issue, names));
  const more = lines.length > SHOWN ? [`and ${lines.length - SHOWN} more`] : [];
  return [
    `${tool} was not called: ${[...lines.slice(0, SHOWN), ...more].join('; ')}.`,
    names.length === 0
      ? 'It takes no parameters.'
      : `It takes ${names.map((name) => parameter(name, input.shape[name])).join(', ')}.`,
  ].join('\n');
}

/** Zod also measures a value of the wrong type: a text instead of a list is then "too big". */
function withoutFollowing(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const at = ({ path }: z.core.$ZodIssue) => path.map(String).join('.');
  const mistyped = new Set(issues.filter(({ code }) => code === 'invalid_type').map(at));
  return issues.filter((issue) => issue.code === 'invalid_type' || !mistyped.has(at(issue)));
}

function describe(issue: z.core.$ZodIssue, names: readonly string[]): string[] {
  const path = issue.path.map(String).join('.').slice(0, MAX_WORD);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const meant = issue.path.length === 0 ? nearestWord(key, names) : undefined;
      const name = key.slice(0, MAX_WORD);
      return `unknown parameter \`${name}\`${didYouMean(meant, '(')}`;
    });
  return [`${path || 'the call'}: ${issueText(issue)}`];
}

function parameter(name: string, schema: z.core.$ZodType | undefined): string {
  const isNeeded = schema !== undefined && !z.safeParse(schema, undefined).success;
  return isNeeded ? `${name} (required)` : name;
}

/** About six thousand tokens. */
export const MAX_ANSWER = 24_000;

/** Untrusted text for an answer: without invisible characters, cut at a line to at most `most` characters. */
export function boundText(text: string, most = MAX_ANSWER): string {
  const clean = cleanText(text);
  if (clean.length <= most) return clean;
  const end = clean.lastIndexOf('\n', most);
  const kept = clean.slice(0, end > most / 2 ? end : most).toWellFormed();
  return `${kept}\n… ${clean.length - kept.length} more characters omitted; request less at a time.`;
}
