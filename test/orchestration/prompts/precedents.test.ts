import { expect, it } from 'vitest';
import { RECALLED_CLOSE, RECALLED_OPEN, recalledMark } from '../../../src/domain/precedent-marks.ts';
import { playerPrompt } from '../../../src/orchestration/prompts/player-prompt.ts';
import { resolveRoleConstraints } from '../../../src/rules/resolve-role-constraints.ts';
import { BARE } from '../../rules/rule-sources-fixture.ts';
import { CRITERIA } from '../turn-fixture.ts';

const BLOCK = `${RECALLED_OPEN}\n- ${recalledMark('TRACE-1')} denied (block-tested-true)\n${RECALLED_CLOSE}`;

const PLAYER = {
  role: resolveRoleConstraints(BARE, 'player'),
  task: { featureId: 'FEAT-1', id: 'TASK-1', title: 'Log in', text: 'Users log in.' },
  turn: 1,
  maxTurns: 5,
  mode: 'fresh_start' as const,
  plan: '1. Write it',
  criteria: CRITERIA,
  statuses: {},
  turns: [],
  failedApproaches: [],
  recovery: undefined,
  architecture: undefined,
  budgetTokens: 20_000,
};

it('[LEARN-4] a Player’s prompt includes the precedents with their marks', () => {
  const { text, injected } = playerPrompt({ ...PLAYER, precedents: BLOCK });
  expect(text).toContain(`## Precedents\n${BLOCK}`);
  expect(injected).toContain('precedents');
});

it('a Player’s prompt omits precedents if there are none or no room', () => {
  expect(playerPrompt({ ...PLAYER, precedents: '' }).text).not.toContain('Precedents');
  const { text, leftOut } = playerPrompt({ ...PLAYER, precedents: BLOCK.repeat(200), budgetTokens: 1500 });
  expect(text).not.toContain('## Precedents');
  expect(leftOut).toContainEqual(expect.stringMatching(/^precedents: /));
});
