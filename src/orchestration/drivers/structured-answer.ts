import * as z from 'zod';
import { describeIssues } from '../../domain/json/describe-issues.ts';
import { lastJsonObject } from './command-output.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** For agents that get the format of their answer only from the prompt. */
export function promptWithSchema(prompt: string, schema: JsonSchema | undefined): string {
  if (!schema) return prompt;
  return (
    `${prompt}\n\n## Answer format\n\nPrint one JSON object last, matching this JSON Schema:\n\n` +
    `\`\`\`json\n${JSON.stringify(schema, null, 2)}\n\`\`\`\n`
  );
}

export type ReadAnswer = { ok: true; answer: unknown } | { ok: false; why: string };

/** The answer in an agent's last message, checked by its schema. */
export function readAnswer(text: string, schema: JsonSchema): ReadAnswer {
  const answer = lastJsonObject(text, requiredKeys(schema));
  if (!answer) return { ok: false, why: 'no JSON object in its answer' };
  const parsed = parserOf(schema).safeParse(answer);
  return parsed.success ? { ok: true, answer } : { ok: false, why: describeIssues(parsed.error) };
}

/** The second and last request for a valid answer. */
export function repairPrompt(why: string, schema: JsonSchema): string {
  return promptWithSchema(
    `Your last message is not a valid answer:\n\n${why}\n\nDo not change any file. Give the same answer again in the right format.`,
    schema,
  );
}

export function requiredKeys({ required }: JsonSchema): string[] {
  return Array.isArray(required) ? required.filter((key) => typeof key === 'string') : [];
}

/** A field with a default may be missing: the reader of the answer fills it in. */
function parserOf(schema: JsonSchema): z.ZodType {
  const { $schema: _dialect, ...rest } = schema;
  return z.fromJSONSchema(withoutDefaults(rest) as z.core.JSONSchema.JSONSchema);
}

function withoutDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDefaults);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, one]) => [key, withoutDefaults(one)] as const);
  const object: Record<string, unknown> = Object.fromEntries(entries);
  const { required, properties } = object;
  if (!Array.isArray(required) || properties === null || typeof properties !== 'object') return object;
  const hasDefault = (key: unknown) => {
    const property: unknown = Reflect.get(properties, String(key));
    return property !== null && typeof property === 'object' && 'default' in property;
  };
  return { ...object, required: required.filter((key) => !hasDefault(key)) };
}
