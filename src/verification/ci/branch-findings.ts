import { GRAPH_PATH } from '../../architecture/file/graph-file.ts';
import type { GateResult } from '../../domain/entities/verification.ts';
import type { BranchVerification, VerifiedClaim } from './verify-branch.ts';

/** A reason why a branch does not pass, at a place in its files if there is one. */
export interface Finding {
  gate: string;
  level: 'error' | 'warning';
  path?: string;
  line?: number;
  message: string;
}

/** Every finding once, errors first. */
export function findingsOf(verified: BranchVerification): Finding[] {
  const all = [
    ...branchFindings(verified),
    ...verified.claims.flatMap((claim) => claimFindings(claim)),
    ...gateFindings(verified.gates, ''),
    ...verified.claims.flatMap(({ claim, verification }) =>
      gateFindings(verification.gates, `${claim.id}: `),
    ),
  ];
  const placed = new Set(all.filter(({ path }) => path !== undefined).map(({ gate }) => gate));
  // A gate's own line only if nothing shows where to look.
  const useful = all.filter(
    ({ gate, path, level }) => path !== undefined || level === 'warning' || !placed.has(gate),
  );
  const unique = new Map(useful.map((finding) => [JSON.stringify(finding), finding]));
  const rank = { error: 0, warning: 1 };
  return [...unique.values()].sort((a, b) => rank[a.level] - rank[b.level]);
}

function branchFindings({ facts: { faulty, changes, secrets, waivers } }: BranchVerification): Finding[] {
  return [
    ...changes.rules
      .filter(({ waiver }) => waiver === undefined)
      .map(({ path, kind, change }) =>
        error(
          'rules',
          path,
          undefined,
          `This ${kind} decides how work is judged and was ${change} by the branch.`,
        ),
      ),
    ...faulty.flatMap(({ faults }) =>
      faults.map(({ file, line, message, hint }) => error('claims', file, line, `${message} → ${hint}`)),
    ),
    ...secrets.found.map(({ path, line, kind, likelyFake }): Finding => {
      const isOpen = !likelyFake && waivers.covering(path) === undefined;
      const message = `This looks like a credential (${kind}).`;
      return { gate: 'secrets', level: isOpen ? 'error' : 'warning', path, line, message };
    }),
  ];
}

function claimFindings({ facts, verification }: VerifiedClaim): Finding[] {
  const failed = new Set(
    verification.gates
      .filter(({ result, required }) => required && result === 'fail')
      .map(({ gate }) => gate),
  );
  return [
    ...facts.harness
      .filter(({ accepted }) => !accepted)
      .map(({ path, line, words }) => error('harness', path, line, words)),
    ...facts.losses
      .filter(({ severity }) => severity === 'fail')
      .map(({ file, words }) => error('no-test-lost', file, undefined, words)),
    ...(facts.baseTests?.ran ? facts.baseTests.changed : [])
      .filter(({ outcome, accepted }) => outcome === 'fails' && !accepted && failed.has('no-test-weakened'))
      .flatMap(({ file, name, message }) =>
        file === undefined ? [] : [error('no-test-weakened', file, undefined, `${name}: ${message}`)],
      ),
    ...(failed.has('tests') ? (facts.candidate?.results ?? []) : [])
      .filter(({ status, file }) => status === 'failed' && file !== undefined)
      .map(({ file = '', name, message = '' }) =>
        error('tests', file, lineIn(message, file), `${name}: ${message}`),
      ),
    ...(failed.has('coverage') && facts.coverage.measured ? facts.coverage.figures.uncovered : []).map(
      (place) => {
        const [, path = place, line] = /^(.*):(\d+)[^:]*$/s.exec(place) ?? [];
        return error(
          'coverage',
          path,
          line === undefined ? undefined : Number(line),
          `No test runs ${place}.`,
        );
      },
    ),
    ...verification.gates
      .filter(({ gate }) => gate === 'architecture' && failed.has(gate))
      .map(({ reason }) => error('architecture', GRAPH_PATH, lineIn(reason, GRAPH_PATH), reason)),
  ];
}

/** `file:12` in a message. */
function lineIn(message: string, file: string): number | undefined {
  const at = message.indexOf(`${file}:`);
  const digits = at === -1 ? undefined : /^\d{1,7}/.exec(message.slice(at + file.length + 1))?.[0];
  return digits === undefined ? undefined : Number(digits);
}

function gateFindings(gates: readonly GateResult[], prefix: string): Finding[] {
  return gates.flatMap(({ gate, result, required, reason, remedy, warnings }): Finding[] => [
    ...(required && result !== 'pass'
      ? [
          {
            gate,
            level: 'error' as const,
            message: `${prefix}${gate} (${result}): ${reason}${remedy ? ` → ${remedy}` : ''}`,
          },
        ]
      : []),
    ...warnings.map((warning) => ({ gate, level: 'warning' as const, message: `${prefix}${warning}` })),
  ]);
}

function error(gate: string, path: string, line: number | undefined, message: string): Finding {
  return { gate, level: 'error', path, ...(line === undefined ? {} : { line }), message };
}
