import { randomFrom } from './random.js';

const TASKS = ['TASK-001', 'TASK-002', 'TASK-003', 'TASK-004'];
const BRANCHES = ['main', 'dev', 'search', 'checkout'];

/** Each edit appends a line with the number of its event, so that all versions differ. */
const append = (path, line) => `mkdir -p "$(dirname ${path})" && echo '${line}' >> ${path}`;

/**
 * Events of the person. `effective` edits effective files; `rewrites` may remove such files or give them content that is in
 * no commit. Neither happens while GuardKit may attribute it to the agent, as documented.
 */
const PERSON = [
  {
    weight: 10,
    name: 'edit a task',
    command: ({ pick, n }) => append(`tasks/backlog/${pick(TASKS)}-x.md`, `- note ${n}`),
  },
  {
    weight: 4,
    name: 'edit the configuration',
    command: ({ n }) => append('.guardkit/config.yaml', `# remark ${n}`),
  },
  {
    weight: 8,
    name: 'edit code',
    command: ({ pick, n }) => append(`src/${pick(['a', 'b', 'c'])}.js`, `// ${n}`),
  },
  {
    weight: 4,
    name: 'add a task',
    command: ({ n }) => append(`tasks/backlog/TASK-${n + 100}-x.md`, `# added ${n}`),
  },
  { weight: 2, name: 'remove a task', command: ({ pick }) => `rm -f tasks/backlog/${pick(TASKS)}-x.md` },
  {
    weight: 2,
    name: 'replace a task',
    command: ({ pick, n }) =>
      `echo 'whole ${n}' > .new && chmod 600 .new && mv .new tasks/backlog/${pick(TASKS)}-x.md`,
  },
  {
    weight: 3,
    name: 'add a guard',
    command: ({ n }) =>
      `mkdir -p .guardkit/guards && printf 'id: guard-${n}\\nsummary: Nothing.\\nmode: warn\\ncommands:\\n  - {program: never-${n}}\\nreason: Nothing.\\n' > .guardkit/guards/guard-${n}.yaml`,
  },
  {
    weight: 3,
    name: 'edit an agent',
    effective: true,
    command: ({ n }) => append('.claude/agents/reviewer.md', `line ${n}`),
  },
  {
    weight: 2,
    name: 'add an agent',
    effective: true,
    command: ({ n }) => append(`.claude/agents/helper-${n}.md`, `helper ${n}`),
  },
  {
    weight: 2,
    name: 'add a git hook',
    effective: true,
    command: ({ pick, n }) =>
      `h=.git/hooks/${pick(['post-merge', 'post-checkout', 'pre-push'])}; printf '#!/bin/sh\\n# ${n}\\nexit 0\\n' > $h && chmod 755 $h`,
  },
  {
    weight: 2,
    name: 'edit the shell start-up file',
    effective: true,
    command: ({ n }) => append('~/.bashrc', `# ${n}`),
  },
  {
    weight: 1,
    name: 'edit the settings',
    effective: true,
    command: ({ n }) => `echo '{"permissions":{"allow":["Bash(ls ${n})"]}}' > .claude/settings.json`,
  },
  { weight: 2, name: 'git config', command: ({ n }) => `git config branch.main.description 'remark ${n}'` },
  { weight: 10, name: 'commit all', command: ({ n }) => `git add -A && git commit -q -m 'Person ${n}'` },
  { weight: 4, name: 'commit -am', command: ({ n }) => `git commit -q -am 'Person ${n}'` },
  {
    weight: 6,
    name: 'switch branches',
    switches: true,
    command: ({ pick }) => `git checkout -q ${pick(BRANCHES)}`,
  },
  { weight: 2, name: 'stash', switches: true, command: () => 'git stash -q' },
  // Removes effective files that are in no commit.
  { weight: 2, name: 'stash with untracked files', rewrites: true, command: () => 'git stash -q -u' },
  {
    weight: 4,
    name: 'stash pop',
    rewrites: true,
    command: () => 'git stash pop -q || { git checkout -q -f HEAD -- .; git stash drop -q; }',
  },
  {
    weight: 3,
    name: 'merge',
    rewrites: true,
    command: ({ pick, n }) => `git merge -q -m 'Merge ${n}' ${pick(BRANCHES)} || git merge --abort`,
  },
  {
    weight: 1,
    name: 'rebase',
    rewrites: true,
    command: ({ pick }) => `git rebase -q ${pick(BRANCHES)} || git rebase --abort`,
  },
  {
    weight: 1,
    name: 'revert',
    rewrites: true,
    command: () => 'git revert --no-edit HEAD || git revert --abort',
  },
  { weight: 1, name: 'undo a commit', switches: true, command: () => 'git reset -q --keep HEAD~1' },
  {
    weight: 1,
    name: 'discard a file',
    switches: true,
    command: ({ pick }) => `git checkout -q -- tasks/backlog/${pick(TASKS)}-x.md`,
  },
];

const AGENT_EDIT = ({ pick, n }) => append(`src/${pick(['agent', 'more'])}.js`, `// agent ${n}`);

/** Events of the agent: `ordinary` commands, its own `git` commands, edits by tool, and attempts that must have no effect. */
const AGENT = [
  { weight: 8, kind: 'ordinary', name: 'edit code', command: AGENT_EDIT },
  { weight: 4, kind: 'ordinary', name: 'run tests', command: () => 'node -e 0; ls tasks > /dev/null' },
  {
    weight: 3,
    kind: 'ordinary',
    name: 'commit',
    command: ({ n }) => `git add src && git commit -q -m 'Agent ${n}' -- src`,
  },
  { weight: 2, kind: 'git', name: 'restore own code', command: () => 'git checkout -q -- src/agent.js' },
  { weight: 2, kind: 'git', name: 'stash list', command: () => 'git stash list > /dev/null' },
  {
    weight: 3,
    kind: 'git',
    name: 'switch branches',
    command: ({ pick }) => `git checkout -q ${pick(BRANCHES)}`,
  },
  {
    weight: 2,
    kind: 'git',
    name: 'merge',
    command: ({ pick, n }) => `git merge -q -m 'Merge ${n}' ${pick(BRANCHES)} || git merge --abort`,
  },
];
const ATTEMPTS = [
  { kernel: false, command: 'sh -c "$(printf %s "echo evil > .claude/agents/evil.md")"' },
  { kernel: false, command: 'sh -c "$(printf %s "echo evil > .git/hooks/pre-commit")"' },
  { kernel: true, command: 'sh -c "$(printf %s "echo evil >> tasks/backlog/TASK-001-x.md")"' },
  { kernel: true, command: 'sh -c "$(printf %s "rm -rf .guardkit")"' },
  { kernel: false, command: 'sh -c "$(printf %s "echo evil >> ~/.bashrc")"' },
];

/** The day: random events of the person and the agent; the same seed gives the same day. */
export function* eventsOf({ seed, count, tier }) {
  const random = randomFrom(seed);
  let open;
  for (let number = 1; number <= count; number += 1) {
    const context = { pick: (list) => random.pick(list), n: number };
    const make = (actor, type, { name, command, kind }) => ({
      number,
      actor,
      type,
      name: `${actor}: ${name}`,
      kind,
      command: command?.(context),
      during: open ? `, during an ${open} command` : '',
    });
    if (number === count && open) {
      yield make('agent', 'end', { name: 'end of a command' });
      return;
    }
    if (random.chance(0.6)) {
      yield make('person', 'run', random.weighted(PERSON.filter((one) => isClear(one, open, tier))));
    } else if (open) {
      yield make('agent', 'end', { name: `end of a command (${open})` });
      open = undefined;
    } else if (random.chance(0.08)) {
      yield make('agent', 'server', { name: 'restart the dev server' });
    } else if (random.chance(0.1)) {
      const { command } = random.pick(ATTEMPTS.filter(({ kernel }) => !kernel || tier === 'kernel'));
      yield make('agent', 'attempt', { name: `attempt ${command}`, command: () => command });
    } else if (random.chance(0.15)) {
      yield make('agent', 'write', {
        name: 'write code with the edit tool',
        command: ({ n }) => `// written ${n}\n`,
      });
    } else {
      const action = random.weighted(AGENT);
      yield make('agent', 'begin', action);
      open = action.kind;
    }
  }
}

/** False in the documented cases in which GuardKit may attribute the person's edit to the agent. */
function isClear({ effective, rewrites, switches }, open, tier) {
  if (open === undefined) return true;
  if (tier === 'none') return !effective && !rewrites;
  return open === 'ordinary' || (!effective && !rewrites && !switches);
}
