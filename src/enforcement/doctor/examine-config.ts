import { formatFault } from '../../config/yaml/yaml-file.ts';
import { findConfigFaults } from '../../guards/guard-sources.ts';
import { type DoctorCheck, failedCheck } from './doctor-check.ts';

const id = 'config';
const SHOWN = 3;

export async function examineConfig(root: string): Promise<DoctorCheck> {
  try {
    const { files, faults } = await findConfigFaults(root);
    if (faults.length === 0) return { id, outcome: 'pass', found: `no faults in ${files.join(', ')}` };
    return {
      id,
      outcome: 'fail',
      found: faults.length === 1 ? 'there is a fault in it' : `there are ${faults.length} faults in it`,
      lines: faults.slice(0, SHOWN).map(formatFault),
      hint: 'Run `guardkit config check`, which lists every fault, and mend them.',
    };
  } catch (error) {
    return failedCheck(id, error);
  }
}
