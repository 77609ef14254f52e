import type { HarnessChange } from '../harness/compare-harness.ts';
import { INSTALLED_PACKAGE } from '../harness/harness-part.ts';
import { acceptCommands, type Gate, some } from './gate.ts';

const MAX_SHOWN = 80;

/** The harness is unchanged from the base, or a person accepted the change. */
export const harnessGate: Gate = {
  name: 'harness',
  judge({ harness }) {
    const open = harness.filter(({ accepted }) => !accepted);
    if (open.length > 0) {
      const paths = [...new Set(open.map(acceptablePath))];
      return {
        result: 'fail',
        required: true,
        reason: `the change alters how the commands run: ${some(open.map(describe))}; revert that, or have a person accept it with ${acceptCommands(paths).join(', ')}`,
      };
    }
    if (harness.length > 0) {
      return {
        result: 'pass',
        required: true,
        reason: `changed and accepted by a person: ${some(harness.map(({ path, part }) => `${path} (${part})`))}`,
      };
    }
    return { result: 'pass', required: true, reason: 'unchanged from the base' };
  },
};

/** A package is accepted with all of its files. */
function acceptablePath({ path, part }: HarnessChange): string {
  const [folder] =
    part === INSTALLED_PACKAGE ? (/^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []) : [];
  return folder ?? path;
}

/** `package.json:7 (scripts.test was "vitest run", is "true")` */
function describe({ type, path, line, part, before, after }: HarnessChange): string {
  const place = line === undefined ? path : `${path}:${line}`;
  const was = before ? ` was ${shown(before)}` : '';
  const is = after ? `${was === '' ? '' : ','} is ${shown(after)}` : '';
  if (type === 'changed') return `${place} (${part}${was}${is})`;
  return `${place} (${part} ${type}${type === 'added' && after ? `: ${shown(after)}` : ''})`;
}

function shown(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return JSON.stringify(line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line);
}
