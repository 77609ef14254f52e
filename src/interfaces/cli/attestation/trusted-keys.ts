import { resolve } from 'node:path';
import { readConfigText } from '../../../config/yaml/yaml-file.ts';
import { GuardKitError } from '../../../guardkit-error.ts';
import type { PublicKey } from '../../../platform/signing/dsse.ts';
import { readPublicKeys } from '../../../platform/signing/machine-key.ts';

/** The public keys in these files. A file without one is a mistake, not an empty list. */
export function trustedKeys(cwd: string, files: readonly string[]): PublicKey[] {
  return files.flatMap((file) => {
    const read = readConfigText(resolve(cwd, file));
    const keys = read.ok ? readPublicKeys(read.text, file) : [];
    if (keys.length > 0) return keys;
    throw new GuardKitError({
      code: 'key.none',
      kind: 'input',
      message: `--trust ${file}: no public key found.`,
      hint: 'Write the output of `guardkit attest --public-key` of a trusted machine to that file.',
    });
  });
}
