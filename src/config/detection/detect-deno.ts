import { type DetectedVerify, detected } from './detected-verify.ts';
import { mentions, type ProjectView } from './project-view.ts';

export function detectDeno(view: ProjectView): DetectedVerify | undefined {
  const config = ['deno.json', 'deno.jsonc'].find(view.has);
  if (config === undefined) return undefined;
  const command = mentions(view, [config], /"test"\s*:/) ? 'deno task test' : 'deno test';
  return detected('deno', { tests: { command } });
}
