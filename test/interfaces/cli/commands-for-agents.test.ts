import { expect, it } from 'vitest';
import { COMMAND_GROUPS, TOP_COMMANDS } from '../../../src/interfaces/cli/program/commands.ts';
import { agentsUse, DECIDED_COMMANDS } from '../../../src/interfaces/cli/program/commands-for-agents.ts';

const lines = [
  ...TOP_COMMANDS.commands.map(({ name }) => name),
  ...COMMAND_GROUPS.flatMap(({ name: group, commands }) => commands.map(({ name }) => `${group} ${name}`)),
];

it('every command has its use by wrapped agents decided', () => {
  expect(lines.filter((line) => !DECIDED_COMMANDS.includes(line))).toEqual([]);
  expect(new Set(DECIDED_COMMANDS).size).toBe(DECIDED_COMMANDS.length);
});

it.each([
  ['verify', 'outside'],
  ['feature next', 'outside'],
  ['mcp', 'relayed'],
  ['knowledge merge', 'inside'],
  ['init', 'other-terminal'],
  ['uninstall', 'other-terminal'],
  ['a command that nobody has decided about', 'other-terminal'],
])('an agent runs %s: %s', (line, use) => {
  expect(agentsUse(line)).toBe(use);
});
