import * as z from 'zod';
import { workIdSchema } from '../../../domain/entities/work-id.ts';
import { oneLine } from '../../../domain/json/clean-text.ts';
import { programFile } from '../../../enforcement/install/own-package.ts';
import { runProcess } from '../../../platform/processes/run-process.ts';
import type { McpContext } from '../mcp-context.ts';
import { defineTool, type ToolAnswer } from '../mcp-tool.ts';

/** Gates have their own limits; this one is for a hanging machine. */
const TIMEOUT_MS = 4 * 60 * 60 * 1000;
const TELL_EVERY_MS = 5000;
const LONGEST_REASON = 600;
const LONGEST_LINE = 240;

export const verifyFeatureTool = defineTool({
  name: 'verify_feature',
  description: 'Run the tests and gates of a feature or task on the current files; only this sets `tested`.',
  readOnly: false,
  input: z.strictObject({ id: workIdSchema.describe('A feature (FEAT-…) or a task (TASK-…).') }),
  run: verifyFeature,
});

/** The part of `guardkit verify --json` that is shown here. */
const printedSchema = z.object({
  outcome: z.string(),
  tested: z.boolean(),
  verification: z.string(),
  gates: z.array(
    z.object({
      gate: z.string(),
      result: z.string(),
      required: z.boolean(),
      reason: z.string(),
      details: z.array(z.string()).default([]),
      remedy: z.string().optional(),
    }),
  ),
  base_trouble: z.string().nullable().default(null),
});

const failedSchema = z.object({ error: z.object({ message: z.string(), hint: z.string().optional() }) });

/** In its own process: it runs for minutes, and must end with its children when the caller stops waiting. */
async function verifyFeature(context: McpContext, { id }: { id: string }): Promise<ToolAnswer> {
  const { root } = await context.project();
  const began = Date.now();
  const telling = setInterval(
    () => context.progress(`verifying ${id} for ${Math.round((Date.now() - began) / 1000)} s`),
    TELL_EVERY_MS,
  );
  try {
    const { stdout, stderr } = await runProcess(process.execPath, [programFile(), 'verify', id, '--json'], {
      cwd: root,
      env: context.env,
      timeoutMs: TIMEOUT_MS,
      ...(context.signal ? { signal: context.signal } : {}),
    });
    return describe(id, parse(stdout), stderr);
  } finally {
    clearInterval(telling);
  }
}

function parse(stdout: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    // Safe: output that is not JSON is reported as a failure below.
    return undefined;
  }
}

function describe(id: string, printed: unknown, stderr: string): ToolAnswer {
  const verified = printedSchema.safeParse(printed).data;
  if (verified) {
    const { outcome, tested, gates, verification, base_trouble } = verified;
    return {
      text: [
        `${id}: ${outcome}; ${tested ? 'it is tested' : 'it is not tested'} (${verification})`,
        ...(base_trouble === null ? [] : [oneLine(base_trouble, LONGEST_REASON)]),
        ...gates.flatMap(({ gate, result, required, reason, details, remedy }) => [
          oneLine(`- ${gate}: ${result}${required ? '' : ' (not required)'}. ${reason}`, LONGEST_REASON),
          ...details.map((line) => `    ${oneLine(line, LONGEST_LINE)}`),
          ...(remedy === undefined ? [] : [`  → ${oneLine(remedy, LONGEST_REASON)}`]),
        ]),
      ].join('\n'),
    };
  }
  const failed = failedSchema.safeParse(printed).data?.error;
  const why = failed ? [failed.message, failed.hint ?? ''].join('\n') : stderr.slice(-2000);
  return { refused: true, text: `${id} was not verified: ${why.trim() || 'it ended without output'}` };
}
