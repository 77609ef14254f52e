import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import {
  planSessionFiles,
  planSessionRemoval,
  planSessionRenewal,
} from '../../../src/enforcement/install/plan-session-files.ts';
import {
  CLAUDE_SESSION,
  CODEX_SESSION,
  COPILOT_SESSION,
  GEMINI_SESSION,
  OPENCODE_SESSION,
  QWEN_SESSION,
} from '../../../src/enforcement/install/session-forms.ts';
import type { WiringStep } from '../../../src/enforcement/install/wire-claude.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CODING = '.claude/agents/coding-agent.md';
const TESTER = '.claude/agents/tester-agent.md';

function perform(steps: readonly WiringStep[]): string[] {
  for (const step of steps) step.perform();
  return steps.flatMap(({ path, action }) => (action === 'keep' ? [] : [`${action} ${path}`]));
}

/** A file of an earlier GuardKit with other text. */
function earlier(text: string): string {
  const mark = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `${text}<!-- as guardkit wrote it: ${mark} -->\n`;
}

function written(files: Record<string, string>): string {
  const root = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

it('a file of an earlier GuardKit is updated once', () => {
  const root = written({ [CODING]: earlier('# Old\n') });
  expect(perform(planSessionRenewal(root, CLAUDE_SESSION))).toEqual([`change ${CODING}`]);
  expect(readFileSync(join(root, CODING), 'utf8')).not.toContain('# Old');
  expect(perform(planSessionRenewal(root, CLAUDE_SESSION))).toEqual([]);
  expect(existsSync(join(root, TESTER))).toBe(false);
});

it('a file that a person edited, created or linked stays, even with a mark', () => {
  const files = {
    [CODING]: earlier('# Old\n').replace('Old', 'Mine'),
    [TESTER]: '# Mine\n<!-- as guardkit wrote it: 0123456789abcdef -->\n',
    '.claude/commands/task-work.md': `${earlier('# Old\n')}\nMine\n`,
    'elsewhere.md': earlier('# Old\n'),
  };
  const root = written(files);
  symlinkSync('../../elsewhere.md', join(root, '.claude/commands/feature-build.md'));
  expect(perform(planSessionRenewal(root, CLAUDE_SESSION))).toEqual([]);
  perform(planSessionFiles(root, CLAUDE_SESSION));
  perform(planSessionRemoval(root, CLAUDE_SESSION));
  for (const [path, text] of Object.entries(files)) expect(readFileSync(join(root, path), 'utf8')).toBe(text);
});

it('removal covers files of earlier GuardKit versions too', () => {
  const root = written({});
  perform(planSessionFiles(root, CLAUDE_SESSION));
  writeFileSync(join(root, CODING), earlier('# Old\n'));
  expect(perform(planSessionRemoval(root, CLAUDE_SESSION))).toContain(`remove ${CODING}`);
  expect(existsSync(join(root, '.claude', 'agents'))).toBe(false);
});

it('other agents get the skills, and the commands in their own form', () => {
  const root = written({});
  const forms = [CODEX_SESSION, COPILOT_SESSION, GEMINI_SESSION, OPENCODE_SESSION, QWEN_SESSION];
  const made = forms.flatMap((form) => perform(planSessionFiles(root, form)));
  const skills = ['browser-testing', 'incremental-coding', 'project-initialization'];
  for (const { folder } of forms)
    for (const skill of skills) expect(made).toContain(`create ${folder}/skills/${skill}/SKILL.md`);
  const text = (path: string) => readFileSync(join(root, path), 'utf8');
  expect(text('.codex/skills/task-work/SKILL.md')).toMatch(/^---\nname: task-work\ndescription: /);
  expect(text('.github/skills/task-work/SKILL.md')).toMatch(/^---\nname: task-work\ndescription: /);
  expect(text('.qwen/commands/task-work.md')).toContain('guardkit task-work {{args}}');
  expect(text('.gemini/commands/task-work.toml')).toContain('guardkit task-work {{args}}');
  expect(text('.opencode/command/task-work.md')).toContain('guardkit task-work $ARGUMENTS');
  for (const form of forms) {
    expect(planSessionFiles(root, form).every(({ action }) => action === 'keep')).toBe(true);
    perform(planSessionRemoval(root, form));
    expect(existsSync(join(root, form.folder, 'skills'))).toBe(false);
    expect(existsSync(join(root, form.folder, 'commands'))).toBe(false);
  }
});
