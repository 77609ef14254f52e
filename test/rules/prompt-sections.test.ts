import { expect, it } from 'vitest';
import { qualityGateSection, roleSection } from '../../src/rules/prompt-sections.ts';
import { resolveQualityGates } from '../../src/rules/resolve-quality-gates.ts';
import { resolveRoleConstraints } from '../../src/rules/resolve-role-constraints.ts';
import { modeAdvice, suggestImplementationMode } from '../../src/rules/suggest-implementation-mode.ts';
import { BARE, SEEDED } from './rule-sources-fixture.ts';

it('the role section lists what the coach must and must not do', () => {
  expect(roleSection(resolveRoleConstraints(SEEDED, 'coach'))).toMatchInlineSnapshot(`
    "## Your Role: Coach
    You MUST: Validate against the acceptance criteria | Judge on the quality-gate results | Provide actionable feedback | Track acceptance-criteria status
    You MUST NOT: Write implementation code | Modify the implementation directly | Make implementation decisions | Change acceptance criteria mid-task
    ESCALATE when: Test failures persist after 3 attempts | Architecture violations are detected | Acceptance criteria cannot be met as written"
  `);
});

it('the role section is the same from the fallback', () => {
  for (const role of ['player', 'coach'] as const) {
    expect(roleSection(resolveRoleConstraints(BARE, role))).toBe(
      roleSection(resolveRoleConstraints(SEEDED, role)),
    );
  }
});

it('the role section is left out when a role has no constraints', () => {
  const empty = { role: 'coach' as const, must_do: [], must_not_do: [], ask_before: [], escalate_when: [] };
  const sources = { ...SEEDED, system: { ...SEEDED.system, roles: [empty] } };
  expect(roleSection(resolveRoleConstraints(sources, 'coach'))).toBe('');
});

it('a list that does not fit counts what is left out', () => {
  const text = roleSection(resolveRoleConstraints(SEEDED, 'player'), 110);
  expect(text).toMatchInlineSnapshot(`
    "## Your Role: Player
    You MUST: Implement code to meet the acceptance criteria | Follow the implementation plan | (2 more left out)
    You MUST NOT: Validate quality gates | Make architectural decisions without an ADR | (2 more left out)
    ASK BEFORE: Changing the architecture from the plan | Modifying external dependencies | Skipping acceptance criteria"
  `);
});

it('the quality gate section gives the thresholds and forbids changing them', () => {
  expect(qualityGateSection(resolveQualityGates(SEEDED, 'feature', 5))).toMatchInlineSnapshot(`
    "## Quality Gates for This Task
    Task type: feature | Complexity: 5
    Architecture review: required (threshold: 60)
    Coverage: required (threshold: 80%)
    Tests: required, must pass
    DO NOT adjust these thresholds during this session."
  `);
});

it('the quality gate section shows what is not required and which profile applies', () => {
  expect(qualityGateSection(resolveQualityGates(SEEDED, 'documentation', 1))).toMatchInlineSnapshot(`
    "## Quality Gates for This Task
    Task type: documentation | Complexity: 1
    Architecture review: not required
    Coverage: not required
    Tests: not required
    DO NOT adjust these thresholds during this session."
  `);
  expect(qualityGateSection(resolveQualityGates(SEEDED, 'bugfix', 2))).toMatch(
    /\bbugfix\b.*\bfeature\b.*\b2$/m,
  );
});

it('the mode advice names the mode, its uses and its pitfalls', () => {
  const mode = suggestImplementationMode(SEEDED, 'feature', 2);
  expect(mode && modeAdvice(mode)).toMatchInlineSnapshot(`
    "💡 Suggested mode: direct (minimal ceremony)
       Simple file operations, Configuration changes, Documentation updates
       ⚠️  Not for complex implementations
       ⚠️  Check git status first"
  `);
});
