import { LIST_PATH, listText } from '../support/hooked-project.ts';

/** The attacked project: code with a test, rules, tasks, and a list with two features. */
export function projectFiles(): Record<string, string> {
  return {
    '.gitignore': '.claude/progress/\n.claude/settings.local.json\nnode_modules/\ndist/\n*.log\n',
    'README.md': '# Shop\n\nProgress is in .claude/progress/feature-list.json.\n',
    'package.json': `${JSON.stringify(
      {
        name: 'shop',
        private: true,
        type: 'module',
        scripts: { test: 'node --test', build: 'node build.js' },
      },
      null,
      2,
    )}\n`,
    'build.js':
      "import { mkdirSync, writeFileSync } from 'node:fs';\nmkdirSync('dist', { recursive: true });\nwriteFileSync('dist/out.js', '1');\n",
    'src/cart.js': 'export const cart = [];\nexport const add = (item) => cart.push(item);\n',
    'test/cart.test.js':
      "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { add, cart } from '../src/cart.js';\n\ntest('adds', () => {\n  add(1);\n  assert.equal(cart.length, 1);\n});\n",
    '.guardkit/config.yaml': 'project: shop-1\nverify:\n  tests:\n    command: node --test\n',
    '.guardkit/config/quality-gates.yaml': 'quality_gate_configs: []\n',
    'tasks/TASK-001-cart.md':
      '---\nid: TASK-001\ntitle: Cart\ntask_type: feature\ncomplexity: 2\n---\n# Cart\n\n## Acceptance Criteria\n- AC-001: adds an item\n',
    '.claude/settings.json': '{\n  "permissions": {\n    "allow": ["Bash(ls:*)"]\n  }\n}\n',
    '.claude/agents/coding-agent.md':
      '---\nname: coding-agent\ndescription: writes code\n---\nYou write code.\n',
    [LIST_PATH]: listText([{ id: 'FEAT-1' }, { id: 'FEAT-2' }]),
  };
}
