import type { GateResult } from '../../../domain/entities/verification.ts';
import type { BranchVerification, VerifiedClaim } from '../../../verification/ci/verify-branch.ts';
import { OUTCOME_ICONS } from '../output/printable.ts';
import { claimHeading, conclusion, describeSandbox, describeWaiver } from './describe-branch.ts';
import { htmlText, markdownText } from './escape.ts';

/** GitHub refuses a summary of more than 1 MiB. */
const MAX_CHARACTERS = 250_000;
const MAX_TEXT = 1200;
const MAX_DETAILS = 30;

/** The job summary. */
export function markdownSummary(verified: BranchVerification): string {
  const { branch, outcome, gates, claims, waived, facts } = verified;
  const parts = [
    `## ${OUTCOME_ICONS[outcome]} GuardKit: ${markdownText(conclusion(verified))}`,
    `Head \`${branch.head.slice(0, 12)}\`, base \`${branch.base.commit.slice(0, 12)}\` (${markdownText(branch.base.why)}), ${markdownText(describeSandbox(verified))}.`,
    ...waived.map(({ waiver, paths }) => `> ⚠️ ${text(describeWaiver(waiver, paths))}`),
    ...facts.waivers.expired.map(
      (waiver) => `> ⚠️ ${text(`expired on ${waiver.until}, not used: ${waiver.file}`)}`,
    ),
    '### Branch',
    gateTable(gates),
    ...claims.flatMap(claimParts),
  ];
  const whole = parts.join('\n\n');
  return `${whole.length > MAX_CHARACTERS ? fallback(verified) : whole}\n`;
}

/** A summary cut in the middle could end inside a tag. */
function fallback(verified: BranchVerification): string {
  return `## GuardKit: ${markdownText(conclusion(verified)).slice(0, MAX_CHARACTERS / 2)}\n\nThe full report is too long for this page; see the log.`;
}

function claimParts(one: VerifiedClaim): string[] {
  const { claim, verification, criteria } = one;
  const listed =
    criteria.length === 0
      ? []
      : [
          [
            `Criteria${claim.type === 'added' ? ' (**not on the base**: written by this branch)' : ''}:`,
            '',
            ...criteria.map(
              ({ id, text: words, tests }) =>
                `- ${text(id)} ${text(words)} (${tests.length === 0 ? 'named by no test' : `named by ${tests.length} passing ${tests.length === 1 ? 'test' : 'tests'}`})`,
            ),
          ].join('\n'),
        ];
  const table = gateTable(verification.gates);
  const details = verification.gates.flatMap(gateDetails);
  const heading = `### ${OUTCOME_ICONS[verification.outcome]} ${text(claimHeading(one))}`;
  return claim.type === 'added'
    ? [heading, ...listed, table, ...details]
    : [heading, table, ...details, ...listed];
}

function gateTable(gates: readonly GateResult[]): string {
  const shown = gates.filter(({ required, result }) => required || result !== 'absent');
  return [
    '| | gate | result |',
    '|---|---|---|',
    ...shown.map(({ gate, result, required, reason, remedy, warnings }) => {
      const cells = [
        text(reason),
        ...(required ? [] : ['(not required)']),
        ...(remedy ? [`→ ${text(remedy)}`] : []),
        ...warnings.map((warning) => `⚠️ ${text(warning)}`),
      ];
      return `| ${OUTCOME_ICONS[result]} | ${markdownText(gate)} | ${cells.join('<br>')} |`;
    }),
  ].join('\n');
}

function gateDetails({ gate, details = [] }: GateResult): string[] {
  if (details.length === 0) return [];
  const lines = details.slice(0, MAX_DETAILS).map((line) => htmlText(line.slice(0, MAX_TEXT)));
  // No empty line: it would end the block.
  const body = lines.join('\n').replace(/\n(?=\s*\n)/g, '\n&#32;');
  return [`<details><summary>${htmlText(gate)}</summary><pre>${body}</pre></details>`];
}

function text(words: string): string {
  const short = words.length > MAX_TEXT ? `${words.slice(0, MAX_TEXT)}…` : words;
  return markdownText(short);
}
