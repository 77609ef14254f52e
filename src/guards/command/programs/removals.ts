import { resolvePath } from '../resolve-field.ts';
import { type Program, type Programs, use, useAs } from './call.ts';
import { type OptionShape, readOptions } from './read-options.ts';

/** Removes its operands; with one of the `recursive` options also non-empty folders. */
function removal(shape: OptionShape, ...recursive: readonly string[]): Program {
  return (call) => {
    const options = readOptions(call.args, shape);
    useAs(call, 'delete', options.has(...recursive) ? {} : { shallow: true }, ...options.operands);
    return '';
  };
}

const remove = removal(
  { long: ['interactive'], flags: ['recursive', 'force', 'dir', 'verbose'] },
  'r',
  'R',
  'recursive',
);
const removeOne = removal({});

const mkdir: Program = (call) => {
  const { operands } = readOptions(call.args, { short: 'mZ', long: ['mode'] });
  use(call, 'write', ...operands);
  const { scope } = call.frame;
  for (const field of operands) {
    const path = resolvePath(field, scope.cwd);
    if (path?.exact === true && !path.glob) scope.folders.add(path.path);
  }
  return '';
};

/** Empties or resizes its operands. */
const truncate: Program = (call) => {
  const options = readOptions(call.args, { short: 'rs', long: ['reference', 'size'] });
  const empties = /^0+[A-Z]*$/i.test(options.value('s', 'size')?.text ?? '');
  useAs(call, 'write', empties ? { empties: true } : {}, ...options.operands);
  return '';
};

const trash: Program = (call) => {
  use(call, 'delete', ...readOptions(call.args).operands);
  return '';
};

/** Programs that create and remove files and folders, by name. */
export const REMOVALS: Programs = {
  rm: remove,
  rmdir: removeOne,
  unlink: removeOne,
  trash,
  'trash-put': trash,
  shred: removal({ short: 'ns', long: ['iterations', 'size', 'random-source'] }),
  truncate,
  mkdir,
};
