import { LIST_PATH as LIST } from '../../support/hooked-project.ts';
import type { AttackSession } from '../attack-session.ts';
import type { Harmless } from './harmless.ts';

type Feature = Record<string, unknown>;

function relist(session: AttackSession, change: (features: Feature[]) => void): string {
  const list = JSON.parse(session.list());
  change(list.features);
  return `${JSON.stringify(list, null, 2)}\n`;
}

const CODING = { by: { agent_id: 'a1', agent_type: 'coding-agent' } };

export const TOOLS: readonly Harmless[] = [
  { name: 'reads the list', how: (session) => session.act('Read', { file_path: session.path(LIST) }) },
  {
    name: 'searches for tested',
    how: (session) => session.act('Grep', { pattern: 'tested', path: session.path('.claude') }),
  },
  {
    name: 'writes a source',
    how: (session) => session.writeTool('src/price.js', 'export const price = 1;\n'),
  },
  { name: 'edits a source', how: (session) => session.edit('src/cart.js', 'cart = []', 'cart = [1]') },
  {
    name: 'edits a source in several places',
    how: (session) =>
      session.act('MultiEdit', {
        file_path: session.path('src/cart.js'),
        edits: [
          { old_string: 'cart = []', new_string: 'cart = [1]' },
          { old_string: 'push(item)', new_string: 'push(item, 1)' },
        ],
      }),
  },
  {
    name: 'adds a script and a dependency',
    how: (session) =>
      session.edit(
        'package.json',
        '"scripts": {',
        '"dependencies": {\n    "left": "1.0.0"\n  },\n  "scripts": {\n    "lint": "node --check src/cart.js",',
      ),
  },
  {
    name: 'adds a test',
    how: (session) =>
      session.writeTool('test/more.test.js', "import test from 'node:test';\n\ntest('more', () => {});\n"),
  },
  {
    name: 'writes JSON that says tested',
    how: (session) =>
      session.writeTool('src/state.json', '{"features": [{"id": "FEAT-1", "tested": true}]}\n'),
  },
  {
    name: 'writes a guide that names protected files',
    how: (session) =>
      session.writeTool(
        'docs/guide.md',
        'See .claude/progress/feature-list.json, .guardkit/config.yaml and .git/hooks/pre-commit.\n',
      ),
  },
  {
    name: 'writes a note next to the list',
    how: (session) => session.writeTool('.claude/progress/notes.md', 'Next: the cart.\n'),
  },
  { name: 'writes instructions for agents', how: (session) => session.writeTool('CLAUDE.md', '# Notes\n') },
  {
    name: 'starts a feature in the list',
    how: (session) =>
      session.writeTool(
        LIST,
        relist(session, ([one]) => Object.assign(one ?? {}, { status: 'in_progress', notes: 'begun' })),
        CODING,
      ),
  },
  {
    name: 'sets a feature to completed as a coding agent',
    how: (session) =>
      session.writeTool(
        LIST,
        relist(session, ([one]) =>
          Object.assign(one ?? {}, { status: 'completed', notes: 'see src/cart.js' }),
        ),
        CODING,
      ),
  },
  {
    name: 'edits a status in the list',
    how: (session) => session.edit(LIST, '"status": "pending"', '"status": "in_progress"'),
  },
  {
    name: 'adds features as an initializer',
    how: (session) =>
      session.writeTool(
        LIST,
        relist(session, (features) =>
          features.push({
            id: 'FEAT-3',
            description: 'Checkout',
            priority: 3,
            status: 'pending',
            tested: false,
            acceptance_criteria: ['Pays'],
          }),
        ),
        { by: { agent_id: 'i1', agent_type: 'initializer' } },
      ),
    mayTell: true,
  },
  {
    name: 'starts a subagent',
    how: (session) => session.act('Agent', { subagent_type: 'coding-agent', prompt: 'x' }),
  },
  {
    name: 'fetches a page',
    how: (session) =>
      session.act('WebFetch', { url: 'https://example.org/.guardkit/config.yaml', prompt: 'x' }),
  },
  {
    name: 'keeps a todo list',
    how: (session) =>
      session.act('TodoWrite', { todos: [{ content: 'set tested: true', status: 'pending' }] }),
  },
  {
    name: 'asks a server’s tool to read the list',
    how: (session) => session.act('mcp__files__read_file', { path: LIST }),
  },
  {
    name: 'works while a person edits the rules in between',
    how: async (session) => {
      await session.bash('echo 1 > one.txt');
      session.write('.guardkit/config.yaml', `${session.read('.guardkit/config.yaml')}# a person’s\n`);
      await session.bash('echo 2 > two.txt');
      session.write('tasks/TASK-002-more.md', '---\nid: TASK-002\ntitle: More\n---\n');
      await session.writeTool('three.txt', '3\n');
    },
  },
  {
    name: 'works while a person pulls in between',
    setUp: (session) => {
      session.git('clone', '-q', '.', '../upstream');
      session.git('-C', '../upstream', 'config', 'user.name', 'Bob');
      session.write(`${session.root}/upstream/.guardkit/config.yaml`, 'project: shop-1\n');
      session.write(`${session.root}/upstream/src/new.js`, 'export {};\n');
      session.git('-C', '../upstream', 'add', '-A');
      session.git('-C', '../upstream', 'commit', '-qm', 'more');
    },
    how: async (session) => {
      await session.bash('echo 1 > one.txt');
      session.git('pull', '-q', '../upstream', 'main');
      await session.bash('echo 2 > two.txt');
    },
  },
  {
    name: 'switches to a person’s branch with other rules and back',
    setUp: (session) => {
      session.git('checkout', '-q', '-b', 'rules');
      session.write('.guardkit/config.yaml', 'project: shop-1\nverify:\n  tests:\n    command: npm test\n');
      session.git('commit', '-qam', 'rules');
      session.git('checkout', '-q', 'main');
    },
    how: async (session) => {
      await session.bash('git checkout -q rules');
      await session.bash('git checkout -q main');
      await session.bash('git merge -q rules');
    },
  },
  {
    name: 'works while another session works too',
    how: async (session) => {
      const read = {
        tool_name: 'Read',
        tool_input: { file_path: session.path('README.md') },
        tool_use_id: 'other-1',
      };
      await session.hook({ session_id: 'session-2', hook_event_name: 'SessionStart', source: 'startup' });
      await session.hook({ session_id: 'session-2', hook_event_name: 'PreToolUse', ...read });
      await session.bash('echo 1 > one.txt');
      await session.hook({
        session_id: 'session-2',
        hook_event_name: 'PostToolUse',
        ...read,
        tool_response: {},
      });
      await session.edit(LIST, '"status": "pending"', '"status": "in_progress"');
    },
  },
  {
    name: 'continues after a person wrote a prompt and edited their settings and the list',
    how: async (session) => {
      await session.bash('echo 1 > one.txt');
      await session.stop();
      session.write(
        '.claude/settings.json',
        '{\n  "permissions": {\n    "allow": ["Bash(ls:*)", "Bash(cat:*)"]\n  }\n}\n',
      );
      session.write(
        LIST,
        relist(session, (features) =>
          features.push({
            id: 'FEAT-7',
            description: 'A person’s wish',
            status: 'pending',
            priority: 2,
            tested: false,
            acceptance_criteria: ['x'],
          }),
        ),
      );
      await session.hook({ hook_event_name: 'UserPromptSubmit', prompt: 'Go on with FEAT-7' });
      await session.bash('echo 2 > two.txt');
    },
  },
];
