import { AGENT_WIRINGS, type WiredAgent } from '../../../enforcement/install/agent-wirings.ts';

/** Files outside .guardkit/ that a team commits. */
export function committedFiles(sharedFor: readonly WiredAgent[], session: boolean): string[] {
  const others = sharedFor.flatMap((name) => AGENT_WIRINGS[name].file ?? []);
  if (session) return ['.claude/', ...others];
  return [...(sharedFor.includes('claude') ? ['.claude/settings.json'] : []), ...others];
}

/** Asks a person to commit the changed files. */
export function describeCommit(changed: readonly { path: string }[], shared: readonly string[]): string[] {
  const isChanged = (start: string) => changed.some(({ path }) => path.startsWith(start));
  const paths = ['.guardkit/', ...shared].filter(isChanged).join(', ');
  const names = [...(paths === '' ? [] : [paths]), ...(isChanged('.gitignore') ? ['.gitignore'] : [])];
  return names.length === 0 ? [] : [`Commit ${names.join(' and ')}.`];
}
