import * as z from 'zod';
import { findWork } from '../../../config/work/find-work.ts';
import { isNamedFor, type Work } from '../../../config/work/work.ts';
import type { WorkFault } from '../../../config/work/work-fault.ts';
import { memoryNotice } from '../config/explain.ts';
import { plural } from '../output/printable.ts';
import { defineCommand } from '../program/cli-command.ts';
import { faultLine, openWork } from '../task/open-work.ts';

export const validate = defineCommand({
  name: 'validate',
  summary: 'Check all task and feature files',
  arguments: [['[id]', 'Only this feature or task']],
  schema: z.object({ id: z.string().optional() }),
  async run(context, { id }) {
    const { work, sources } = await openWork(context);
    const faults = id === undefined ? work.faults : faultsOf(work, id);
    return {
      json: {
        valid: faults.length === 0,
        faults: faults.map(({ file, line, column, code, message, hint }) => ({
          file,
          line,
          column,
          code,
          message,
          hint,
        })),
      },
      text:
        faults.length === 0
          ? `✓ no errors in ${id ?? `${plural(work.tasks.length, 'task')} and ${plural(definedCount(work), 'feature file')}`}`
          : [...faults.map(faultLine), '', plural(faults.length, 'error')].join('\n'),
      notices: memoryNotice(sources.memory),
      exitCode: faults.length === 0 ? 0 : 1,
    };
  },
});

/** An unreadable file is matched by its name. */
function faultsOf(work: Work, id: string): WorkFault[] {
  const known = work.tasks.some((task) => task.id === id) || work.features.some((one) => one.id === id);
  const named = work.faults.filter(({ file }) => isNamedFor(file, id));
  return !known && named.length > 0 ? named : findWork(work, id).faults;
}

function definedCount({ features }: Work): number {
  return features.filter(({ path }) => path !== undefined).length;
}
