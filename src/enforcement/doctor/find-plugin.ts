import { join } from 'node:path';
import * as z from 'zod';
import { readSettingsFile } from '../install/settings-file.ts';
import type { SettingsSource } from './settings-source.ts';

const enabledSchema = z.looseObject({ enabledPlugins: z.record(z.string(), z.unknown()).optional() });
const installedSchema = z.looseObject({
  plugins: z.record(z.string(), z.array(z.looseObject({ installPath: z.string() }))),
});

/** The hooks of GuardKit's plugin, where the settings have it turned on: those of the copy that Claude Code made of it. */
export function findPlugin(sources: readonly SettingsSource[], claudeFolder: string): SettingsSource[] {
  const { name } = enabledPlugin(sources) ?? {};
  if (name === undefined) return [];
  const reading = readSettingsFile(join(claudeFolder, 'plugins', 'installed_plugins.json'));
  const installed = reading.ok ? installedSchema.safeParse(reading.file.settings).data : undefined;
  return (installed?.plugins[name] ?? []).map(({ installPath }) => {
    const path = join(installPath, 'hooks', 'hooks.json');
    return { path, scope: 'plugin', reading: readSettingsFile(path) };
  });
}

/** Of several files that speak of it, the one that is nearer to the person decides. */
export function enabledPlugin(
  sources: readonly Pick<SettingsSource, 'path' | 'reading'>[],
): { name: string; path: string } | undefined {
  const said = new Map<string, { enabled: boolean; path: string }>();
  for (const { path, reading } of sources) {
    const settings = reading.ok ? enabledSchema.safeParse(reading.file.settings).data : undefined;
    for (const [name, enabled] of Object.entries(settings?.enabledPlugins ?? {}))
      if (name.startsWith('guardkit@')) said.set(name, { enabled: enabled === true, path });
  }
  const [found] = [...said].filter(([, { enabled }]) => enabled);
  return found && { name: found[0], path: found[1].path };
}
