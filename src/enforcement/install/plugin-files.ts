import { VERSION } from '../../version.ts';
import { withHooks } from './claude-settings.ts';
import { sharedHookCommand } from './hook-command.ts';

/** What GuardKit is called in Claude Code's list of plugins. */
export function pluginManifest(version = VERSION) {
  return {
    name: 'guardkit',
    version,
    description: 'Refuses what an agent must not do, and lets a feature count as done only on evidence.',
    author: { name: 'GuardKit' },
    license: 'Apache-2.0',
    keywords: ['guardrails', 'hooks', 'verification'],
  };
}

/** The folder of the plugin is also the catalogue that it is installed from. */
export function pluginMarketplace() {
  const { name, description, author } = pluginManifest();
  return { name, description, owner: author, plugins: [{ name, source: './', description }] };
}

/** The hooks of the plugin: those of a team's settings, since it may be on a machine without GuardKit's program. */
export function pluginHooks() {
  return {
    description: 'Asks GuardKit before and after everything that the agent does.',
    hooks: withHooks({}, sharedHookCommand('claude')).hooks,
  };
}
