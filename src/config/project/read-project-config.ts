import { join } from 'node:path';
import { readYamlFile } from '../yaml/yaml-file.ts';
import { projectConfigSchema } from './project-config.ts';

/** `.guardkit/config.yaml` of a checkout, as it lies there. */
export function readProjectConfig(root: string) {
  return readYamlFile(join(root, '.guardkit', 'config.yaml'), projectConfigSchema);
}
