import type { ImplementationMode } from '../domain/entities/implementation-mode.ts';

/** Advice for a person, never a gate. */
export function modeAdvice({ mode, ceremony_level, when_to_use, pitfalls }: ImplementationMode): string {
  return [
    `💡 Suggested mode: ${mode} (${ceremony_level} ceremony)`,
    ...(when_to_use.length > 0 ? [`   ${when_to_use.join(', ')}`] : []),
    ...pitfalls.map((pitfall) => `   ⚠️  ${pitfall}`),
  ].join('\n');
}
