import { projectConfigSchema } from '../../../config/project/project-config.ts';
import { readYamlFile } from '../../../config/yaml/yaml-file.ts';
import type { SessionContext } from '../../../orchestration/in-agent/session-context.ts';
import { runDetails } from '../../../orchestration/run/run-details.ts';
import { tidyUpAbandoned } from '../../../orchestration/run/tidy-up-run.ts';
import type { KeptSession } from '../../../orchestration/session-record/kept-session.ts';
import { systemClock } from '../../../platform/clock.ts';
import { Repository } from '../../../platform/git/repository.ts';
import { withBaseFile } from '../../../verification/definition/with-base-file.ts';
import { plural } from '../output/printable.ts';
import type { CliContext } from '../program/cli-command.ts';

/** Takes away what an abandoned run has no use for any more; what is left of it, for the person. */
export async function leaveRun(
  context: CliContext,
  { project, checkout, dataFolder }: SessionContext,
  kept: KeptSession,
): Promise<string[]> {
  const { base, branch, completed } = runDetails(kept);
  const repository = await Repository.open(checkout);
  const isHere = (await repository.commit(base)) !== undefined;
  if (isHere) {
    const config = await withBaseFile(repository, base, '.guardkit/config.yaml', async (file) => {
      const read = await readYamlFile(file, projectConfigSchema);
      return read.ok ? read.value : {};
    });
    const emit = (event: { type: string; text?: string }) => {
      if (event.type === 'notice' && event.text !== undefined) context.progress(event.text);
    };
    await tidyUpAbandoned({ home: dataFolder, project, repository, config, clock: systemClock, emit }, kept);
  }
  const done = Object.keys(completed).length;
  return done === 0
    ? []
    : [
        `${plural(done, 'feature')} that it had done, each verified by itself, ${done === 1 ? 'is' : 'are'} on ${branch}: git merge --no-ff ${branch}`,
      ];
}
