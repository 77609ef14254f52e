import { join } from 'node:path';
import { openLedger } from '../../src/store/ledger/open-ledger.ts';
import { insertKeptAction } from '../../src/store/ledger/tables/kept-actions.ts';
import { insertTranscriptLine } from '../../src/store/ledger/tables/transcript.ts';

const DAY_MS = 24 * 60 * 60_000;
const DAYS = 29;

const OBJECTIONS = [
  {
    guard: 'protected-set',
    summary: 'edit .guardkit/config.yaml',
    reason: 'This file decides how the work is judged.',
    guidance: 'Ask the person to change it.',
  },
  {
    guard: 'block-tested-true',
    summary: 'edit .claude/progress/feature-list.json: FEAT-SESSION tested → true',
    reason: 'Only GuardKit sets tested, after it has run the tests itself.',
    guidance: 'Run guardkit verify.',
  },
  {
    guard: 'secrets',
    summary: 'cat .env.production',
    reason: 'The file contains credentials.',
    guidance: 'Use .env.example.',
  },
  {
    guard: 'destructive-commands',
    summary: 'rm -rf src/legacy',
    reason: 'This deletes files that are not committed.',
    guidance: 'Commit first, or use git rm.',
  },
];

/** A month of an agent's actions, fewer and fewer of them refused. */
export function recordMonth(home: string, project: string): void {
  const end = Date.now();
  let now = end - DAYS * DAY_MS;
  const ledger = openLedger({ path: join(home, 'ledger.db'), clock: () => now });
  try {
    for (let day = 0; day < DAYS; day += 1) {
      const refused = Math.max(0, Math.round(7 - day / 5 + ((day * 7) % 5) - 2));
      for (let index = 0; index < 40; index += 1) {
        now = end - (DAYS - day) * DAY_MS + index * 10 * 60_000;
        const objection = index < refused ? OBJECTIONS[(day + index) % OBJECTIONS.length] : undefined;
        const isWaived = objection !== undefined && (day + index) % 11 === 0;
        const decision = objection ? (isWaived ? 'allow' : index % 4 === 3 ? 'warn' : 'deny') : 'allow';
        const session = `session-${day}`;
        const findings = objection
          ? [
              {
                guard: objection.guard,
                decision: decision === 'warn' ? ('warn' as const) : ('deny' as const),
                silent: isWaived ? ('waived' as const) : null,
              },
            ]
          : [];
        insertKeptAction(ledger, {
          project,
          session,
          action: `action-${day}-${index}`,
          at: now,
          kind: 'command',
          decision,
          body: { agent: 'claude', tool: 'Bash', attempted: objection?.summary ?? 'npm test', findings },
        });
        if (!objection) continue;
        ledger.append(project, 'action_judged', {
          session,
          agent: index % 3 === 0 ? 'codex' : 'claude',
          agent_type: index % 5 === 4 ? 'test-writer' : null,
          action: `action-${day}-${index}`,
          tool: 'Bash',
          kind: 'command',
          summary: objection.summary,
          attempted: objection.summary,
          feature: 'FEAT-SESSION',
          decision,
          findings: findings.map((finding) => ({
            ...finding,
            reason: objection.reason,
            guidance: objection.guidance,
            waiver: null,
          })),
        });
      }
      for (let prompt = 0; prompt < 3 + (day % 4); prompt += 1)
        insertTranscriptLine(ledger, {
          project,
          session: `session-${day}`,
          at: now,
          who: 'person',
          text: 'Continue.',
        });
    }
  } finally {
    ledger.close();
  }
}
