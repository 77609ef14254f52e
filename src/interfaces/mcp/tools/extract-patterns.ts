import * as z from 'zod';
import type { Pattern } from '../../../domain/entities/pattern.ts';
import { oneLine } from '../../../domain/json/clean-text.ts';
import { recalledMark } from '../../../domain/precedent-marks.ts';
import { extractPatterns } from '../../../learning/patterns/extract-patterns.ts';
import { defineTool } from '../mcp-tool.ts';
import { openLearning } from '../open-learning.ts';

export const extractPatternsTool = defineTool({
  name: 'extract_patterns',
  description: 'List patterns in the traces: repeated mistakes and possible remedies.',
  readOnly: true,
  input: z.strictObject({
    id: z.string().min(1).max(300).optional().describe('Show this pattern in full.'),
    limit: z.int().min(1).max(50).default(15),
  }),
  async run(context, { id, limit }) {
    const { settings, ...learning } = await openLearning(context);
    const { patterns, changed, read } = await extractPatterns({
      ...learning,
      thresholds: settings.thresholds,
    });
    if (id !== undefined) {
      const found = patterns.find((one) => one.pattern_id === id);
      if (found) return { text: whole(found).join('\n') };
      return {
        refused: true,
        text: 'No such pattern. Call extract_patterns without id to list them.',
      };
    }
    const more = patterns.length - limit;
    return {
      text: [
        `${patterns.length} patterns; ${read} new traces were read, ${changed.length} patterns changed.`,
        ...patterns.slice(0, limit).map(line),
        ...(more > 0 ? [`… and ${more} more; raise limit to see them.`] : []),
      ].join('\n'),
    };
  },
});

function line({ pattern_id, what, count, features, trend, suggests }: Pattern): string {
  const advice = suggests.map((one) => one.what).join(', ');
  return oneLine(
    `${recalledMark(pattern_id)} ${count}×, ${features.length} features, ${trend}: ${what}${advice ? ` [${advice}]` : ''}`,
    300,
  );
}

function whole(pattern: Pattern): string[] {
  return [
    line(pattern),
    oneLine(`because: ${pattern.because}`, 600),
    `first ${pattern.first_at}, last ${pattern.last_at}, in ${pattern.sessions} sessions`,
    ...pattern.examples.map(({ trace, what_happened }) =>
      oneLine(`${recalledMark(trace)} ${what_happened}`, 300),
    ),
    ...pattern.correct.map((one) => oneLine(`correct: ${one}`, 300)),
    ...pattern.suggests.map(({ what, why }) => oneLine(`${what}: ${why}`, 300)),
    ...(pattern.weight === 'guard' ? [`create_guard ${pattern.pattern_id} proposes a guard.`] : []),
  ];
}
