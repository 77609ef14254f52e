import { readToolchainRecord } from '../../verification/environment/toolchain-record.ts';
import type { DoctorCheck } from './doctor-check.ts';

/** The programs that runs of this project use, as a person's command found them. */
export function examineToolchains(dataFolder: string, project: string): DoctorCheck {
  const record = readToolchainRecord(dataFolder, project);
  if (!record)
    return {
      id: 'programs',
      outcome: 'absent',
      found:
        'not recorded; runs use the system’s programs and none of pyenv, nvm and similar version managers',
      hint: 'Run `guardkit doctor --fix` in your own terminal to record the programs behind your PATH.',
    };
  const named = ['node', 'python3', 'go', 'cargo', 'ruby', 'java'].flatMap((tool) => {
    const path = record.programs[tool];
    return path === undefined ? [] : [`${tool} ${path}`];
  });
  return {
    id: 'programs',
    outcome: 'pass',
    found: `recorded ${record.recorded_at.slice(0, 10)}: ${named.join(', ') || `${record.folders.length} folders`}`,
  };
}
