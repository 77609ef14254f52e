import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GuardKitError } from '../../guardkit-error.ts';
import { createFileOnce } from '../files/atomic-file.ts';
import { makeFolder } from '../files/make-folder.ts';
import { type PublicKey, publicKeyOf } from './dsse.ts';

/** The folder of this machine's keys. Wrapped commands see an empty one in its place, and tests see none of the data folder. */
export function keysFolder(dataFolder: string): string {
  return join(dataFolder, 'keys');
}

function keyFile(dataFolder: string): string {
  return join(keysFolder(dataFolder), 'machine.pem');
}

/** This machine's private key; undefined if `init` never made one. */
export function readMachineKey(dataFolder: string): KeyObject | undefined {
  const file = keyFile(dataFolder);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats) return undefined;
  // Others could have read it, or put it there.
  if (!stats.isFile() || (stats.mode & 0o077) !== 0) throw unsafeKey(file);
  try {
    const key = createPrivateKey(readFileSync(file));
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Reported below, without its content.
  }
  throw unsafeKey(file);
}

/** Makes the key, unless there is one. */
export function makeMachineKey(dataFolder: string): KeyObject {
  const known = readMachineKey(dataFolder);
  if (known) return known;
  makeFolder(keysFolder(dataFolder), 0o700);
  const { privateKey } = generateKeyPairSync('ed25519');
  createFileOnce(keyFile(dataFolder), privateKey.export({ type: 'pkcs8', format: 'pem' }), 0o600);
  // Another process may have been faster.
  const made = readMachineKey(dataFolder);
  if (made) return made;
  throw unsafeKey(keyFile(dataFolder));
}

/** The public part, for others to trust. */
export function publicPem(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
}

const BLOCK = /-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\s]{1,2000}-----END PUBLIC KEY-----/g;

/** The ed25519 keys in a text of PEM blocks. */
export function readPublicKeys(text: string, source: string): PublicKey[] {
  return (text.match(BLOCK) ?? []).map((block) => {
    try {
      const key = createPublicKey(block);
      if (key.asymmetricKeyType === 'ed25519') return publicKeyOf(key);
    } catch {
      // Reported below.
    }
    throw new GuardKitError({
      code: 'key.unreadable',
      kind: 'input',
      message: `${source} contains a public key that is not ed25519.`,
      hint: 'Use the key that `guardkit attest --public-key` prints.',
    });
  });
}

function unsafeKey(file: string): GuardKitError {
  return new GuardKitError({
    code: 'key.unsafe',
    kind: 'outside',
    message: `${file} is not a private ed25519 key that only you can read.`,
    hint: 'Remove it and run `guardkit init` again. This creates a new key, which others have to trust again.',
  });
}
