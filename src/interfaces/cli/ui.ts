import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { dataFolder } from '../../config/project/workspace.ts';
import { GuardKitError } from '../../guardkit-error.ts';
import { writeFileAtomic } from '../../platform/files/atomic-file.ts';
import { ENDING_SIGNALS } from '../../platform/processes/end-processes.ts';
import { printableJson } from './output/printable.ts';
import { type CliContext, defineCommand, type Report } from './program/cli-command.ts';

const PORT = 'expected a whole number from 1 to 65535';

export const ui = defineCommand({
  name: 'ui',
  summary: 'Open the dashboard in the browser',
  options: [
    ['--port <n>', 'Port on 127.0.0.1 (default: the same as last time)'],
    ['--no-open', 'Only print the address'],
    ['--static <folder>', 'Write a report as one HTML file instead'],
    ['--feature <id>', 'With --static: this feature (default: all built)', 'repeatable'],
  ],
  schema: z.object({
    port: z.coerce.number(PORT).int(PORT).min(1, PORT).max(65_535, PORT).optional(),
    open: z.boolean().default(true),
    static: z.string().min(1).optional(),
    feature: z.array(z.string().min(1)).default([]),
    json: z.boolean().default(false),
  }),
  async run(context, { port, open, static: target, feature, json }) {
    if (target !== undefined) return report(context, target, feature);
    const folder = dataFolder(context.env);
    const { url, close } = await context.openDashboard({ dataFolder: folder, env: context.env, port });
    if (open && !json) openBrowser(context, folder, url);
    const serving = close ? '\nServing until you press Ctrl-C.' : '';
    context.stdout.write(json ? `${printableJson({ url })}\n` : `${url}${serving}\n`);
    if (close) {
      await ended();
      await close();
    }
    return undefined;
  },
});

/** For people without access to this machine, such as the readers of a pull request. */
async function report(context: CliContext, target: string, features: readonly string[]): Promise<Report> {
  const { home, project } = await context.workspace();
  if (!project.known)
    throw new GuardKitError({
      code: 'project.unknown',
      kind: 'input',
      message: `A report needs a project: ${project.why}.`,
      hint: project.hint,
    });
  const file = await context.writeReport({
    dataFolder: home,
    env: context.env,
    folder: resolve(context.cwd, target),
    project: project.id,
    features,
  });
  return { json: { file }, text: file };
}

function ended(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ENDING_SIGNALS) process.once(signal, () => resolve());
  });
}

/**
 * Opens a page of ours that leads to the address. The address itself contains a token, and everybody on this machine can
 * see the arguments of a process.
 */
function openBrowser({ env }: CliContext, folder: string, url: string): void {
  const opener = openerOf(env);
  if (opener === undefined) return;
  const page = join(folder, 'dashboard', 'open.html');
  const link = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  writeFileAtomic(page, `<!doctype html><meta http-equiv="refresh" content="0; url=${link}">\n`, 0o600);
  const child = spawn(opener, [pathToFileURL(page).href], { stdio: 'ignore', detached: true });
  // Safe: the address is printed too.
  child.on('error', () => {});
  // It may become the browser itself, which outlives this command.
  child.unref();
}

/** Undefined where there is no desktop. */
function openerOf(env: NodeJS.ProcessEnv): string | undefined {
  if (process.platform === 'darwin') return 'open';
  return env.DISPLAY || env.WAYLAND_DISPLAY ? 'xdg-open' : undefined;
}
