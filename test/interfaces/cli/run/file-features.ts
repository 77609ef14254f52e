import { afterAll } from 'vitest';
import type { RunJson } from '../../../e2e/killed-run.ts';
import { type PlayedFeature, RunProject, turnOf } from '../../../support/run-project.ts';
import { TWELVE_CONFIG } from '../../../support/twelve-features.ts';

const made: RunProject[] = [];
afterAll(() => {
  for (const project of made) project.cleanup();
});

export function projectOf(
  features: readonly PlayedFeature[],
  more: Readonly<Record<string, string>> = TWELVE_CONFIG,
  extra: object = {},
): RunProject {
  const project = new RunProject(features, more, extra);
  made.push(project);
  return project;
}

/** A file, and a check that looks for it and for what it needs. */
export function file(id: string, needs: readonly string[] = [], turns?: readonly unknown[]): PlayedFeature {
  const all = [...needs, id].map((one) => `test -s ${one}.txt`).join(' && ');
  const check = `${id} is there`;
  return {
    id,
    needs,
    type: 'documentation',
    verify: { checks: [{ name: check, command: all }] },
    turns: turns ?? [turnOf({ [`${id}.txt`]: 'here\n' }, check)],
  };
}

export const empty = (id: string) => turnOf({ [`${id}.txt`]: '' }, `${id} is there`);

export async function run(project: RunProject, args: readonly string[] = []) {
  const result = await project.guardkit(project.runArguments(args));
  try {
    return { ...result, json: JSON.parse(result.stdout) as RunJson & { error?: { code: string } } };
  } catch {
    throw new Error(`no document (exit ${result.exitCode}): ${result.stdout}${result.stderr}`);
  }
}

export const ids = (items: readonly { feature: string }[]) => items.map(({ feature }) => feature);
