import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './own-package.ts';

export interface SessionFile {
  /** Relative to the project. */
  path: string;
  text: string;
}

/** GuardKit's agents, skills and commands in the form that one coding agent understands. */
export interface SessionForm {
  /** The agent's folder in a project. */
  folder: string;
  files(): SessionFile[];
}

/** Only Claude Code can be driven from inside, with agents of its own. */
export const CLAUDE_SESSION: SessionForm = {
  folder: '.claude',
  files: () => ['agents', 'commands', 'skills'].flatMap((folder) => copied(folder, '.claude')),
};

/** Codex has commands only for one person, so they are skills here. */
export const CODEX_SESSION: SessionForm = skillsOnly('.codex');

/** Copilot CLI has no commands of a project; a person starts skills like commands. */
export const COPILOT_SESSION: SessionForm = skillsOnly('.github');

export const GEMINI_SESSION: SessionForm = {
  folder: '.gemini',
  files: () => [
    ...copied('skills', '.gemini'),
    ...commands().map(({ name, description, body }) => ({
      path: `.gemini/commands/${name}.toml`,
      text: `description = ${JSON.stringify(description)}\nprompt = '''${body.replaceAll('$ARGUMENTS', '{{args}}')}'''\n`,
    })),
  ],
};

export const QWEN_SESSION: SessionForm = {
  folder: '.qwen',
  files: () => [
    ...copied('skills', '.qwen'),
    ...commands().map(({ name, description, body }) => ({
      path: `.qwen/commands/${name}.md`,
      text: `---\ndescription: ${description}\n---\n${body.replaceAll('$ARGUMENTS', '{{args}}')}`,
    })),
  ],
};

export const OPENCODE_SESSION: SessionForm = {
  folder: '.opencode',
  files: () => [
    ...copied('skills', '.opencode'),
    ...commands().map(({ name, description, body }) => ({
      path: `.opencode/command/${name}.md`,
      text: `---\ndescription: ${description}\n---\n${body}`,
    })),
  ],
};

function skillsOnly(folder: string): SessionForm {
  return {
    folder,
    files: () => [
      ...copied('skills', folder),
      ...commands().map(({ name, description, body }) => ({
        path: `${folder}/skills/${name}/SKILL.md`,
        text: [
          '---',
          `name: ${name}`,
          `description: ${description}. Use it only when the person asks for it.`,
          '---',
          `${body.replaceAll('$ARGUMENTS', 'ARGUMENTS')}`,
          'ARGUMENTS stands for the words that the person wrote after the name of this skill.',
          '',
        ].join('\n'),
      })),
    ],
  };
}

/** A folder of the plugin, below the agent's own folder. */
function copied(folder: string, into: string): SessionFile[] {
  return readdirSync(join(pluginFolder(), folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => ({
      path: `${into}/${folder}/${name.replaceAll('\\', '/')}`,
      text: readFileSync(join(pluginFolder(), folder, name), 'utf8'),
    }));
}

/** Commands that only start GuardKit, which every agent can. */
const COMMANDS = ['feature-build', 'task-work'];

function commands(): { name: string; description: string; body: string }[] {
  return COMMANDS.map((name) => {
    const text = readFileSync(join(pluginFolder(), 'commands', `${name}.md`), 'utf8');
    const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
    return { name, description: /^description: (.*)$/m.exec(head)?.[1] ?? name, body };
  });
}

function pluginFolder(): string {
  return join(packageFolder(), 'plugin');
}
