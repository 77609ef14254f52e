import { beforeAll, describe, expect, it } from 'vitest';
import {
  type FileState,
  PersonBesideAgent,
  REVIEWER,
  SETTINGS,
  SKILL,
  whyNoPersonBesideAgent,
} from '../../support/person-beside-agent.ts';
import { TIERS } from '../../support/protection-tiers.ts';
import { bash, DONE, type HookAnswers } from '../../support/scripted-claude.ts';
import { expectKept, expectNoBlame, harmlessSession, SESSION_MS } from './persons-work.ts';

const HOOK = '#!/bin/sh\nexit 0\n';
const AGENT = '---\nname: helper\ndescription: helps\n---\nHelp.\n';

/** The person's saves, as path, text and mode. */
const SAVES: readonly (readonly [string, readonly (readonly [string, string, number])[]])[] = [
  ['a new agent', [['.claude/agents/helper.md', AGENT, 0o644]]],
  [
    'a new command and a new hook of the agent',
    [
      ['.claude/commands/ship.md', 'Ship it.\n', 0o644],
      ['.claude/hooks/note.sh', HOOK, 0o755],
    ],
  ],
  ['a git hook, executable', [['.git/hooks/pre-push', HOOK, 0o755]]],
  [
    'shell start-up files and git’s own settings',
    [
      ['~/.bashrc', '# Ada\nalias ll="ls -l"\n', 0o644],
      ['~/.gitconfig', '[user]\n\tname = Ada L\n\temail = ada@example.org\n[alias]\n\tst = status\n', 0o600],
    ],
  ],
  [
    'the agent’s settings and a skill',
    [
      [SETTINGS, '{\n  "permissions": {\n    "allow": ["Bash(ls:*)"]\n  }\n}\n', 0o644],
      [SKILL, '---\nname: notes\ndescription: takes notes\n---\nTake better notes.\n', 0o644],
    ],
  ],
  ['a tracked agent', [[REVIEWER, '---\nname: reviewer\ndescription: reviews\n---\nReview well.\n', 0o644]]],
  [
    'a nested agent and a server list',
    [
      ['packages/ui/.claude/agents/ui.md', AGENT, 0o644],
      ['.mcp.json', '{"mcpServers":{}}\n', 0o644],
    ],
  ],
];

describe.skipIf(whyNoPersonBesideAgent()).each(TIERS)('a person edits effective files (tier: %s)', (tier) => {
  let world: PersonBesideAgent;
  let before: HookAnswers;
  const kept = new Map<string, FileState>();
  beforeAll(async () => {
    world = await PersonBesideAgent.start(tier);
    before = await harmlessSession(world);
    return () => world.end();
  });

  it.each(SAVES)(
    'while a command runs: %s',
    async (_what, saves) => {
      const points = world.points();
      const agent = await world.agent([bash(points.wait('running')), bash('true'), DONE], points);
      await agent.reached('running');
      const saved: [string, FileState][] = [];
      for (const [path, text, mode] of saves) saved.push([path, await world.save(path, text, { mode })]);
      await agent.finish('running');
      for (const [path, state] of saved) await expectKept(world, agent, path, state);
      for (const [path, state] of saved) kept.set(path, state);
    },
    SESSION_MS,
  );

  it(
    'with git config, between actions: a harmless key and core.hooksPath',
    async () => {
      const act = () =>
        world.person.do('git config branch.main.description Main && git config core.hooksPath .husky');
      const agent = await world.agent([bash('true'), act, bash('true'), bash('git status --short'), DONE]);
      await agent.ended;
      expect(world.git('config', 'branch.main.description')).toBe('Main');
      expect(world.git('config', 'core.hooksPath')).toBe('.husky');
    },
    SESSION_MS,
  );

  it(
    'with git config, while a command runs: a harmless key',
    async () => {
      const points = world.points();
      const agent = await world.agent([bash(points.wait('running')), DONE], points);
      await agent.reached('running');
      await world.person.do('git config branch.main.description Trunk');
      await agent.finish('running');
      expect(world.git('config', 'branch.main.description')).toBe('Trunk');
    },
    SESSION_MS,
  );

  it(
    'and none of it is a violation, or reported or changed by a later session',
    async () => {
      await expectNoBlame(world, before);
      for (const [path, state] of kept) expect([path, world.state(path)]).toEqual([path, state]);
    },
    SESSION_MS,
  );
});
