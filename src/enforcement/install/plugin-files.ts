import { VERSION } from '../../version.ts';
import { withHooks } from './claude-settings.ts';
import { sharedHookCommand } from './hook-launcher.ts';

/** The manifest of GuardKit's Claude Code plugin. */
export function pluginManifest(version = VERSION) {
  return {
    name: 'guardkit',
    version,
    description:
      'Refuses forbidden actions of coding agents, and accepts a feature as done only with evidence.',
    author: { name: 'GuardKit' },
    license: 'Apache-2.0',
    keywords: ['guardrails', 'hooks', 'verification'],
  };
}

/** The plugin's folder is also its marketplace. */
export function pluginMarketplace() {
  const { name, description, author } = pluginManifest();
  return { name, description, owner: author, plugins: [{ name, source: './', description }] };
}

/** The same hooks as in a team's settings, since the machine may not have GuardKit installed. */
export function pluginHooks() {
  return {
    description: 'Asks GuardKit before and after every action of the agent.',
    hooks: withHooks({}, sharedHookCommand('claude')).hooks,
  };
}
