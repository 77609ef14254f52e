import { Repository } from '../../../platform/git/repository.ts';
import { publicKeyOf } from '../../../platform/signing/dsse.ts';
import { readMachineKey } from '../../../platform/signing/machine-key.ts';
import { checkAttestation, readAttestations } from '../../../verification/attestation/check-attestation.ts';

/** Why no attestation of the current commit is valid; undefined if there is none, or this machine cannot judge it. */
export async function failedAttestation(
  checkout: string,
  dataFolder: string,
): Promise<{ commit: string; why: string } | undefined> {
  const repository = await Repository.open(checkout);
  const commit = await repository.commit('HEAD');
  const found = commit === undefined ? [] : await readAttestations(repository, commit);
  if (commit === undefined || found.length === 0) return undefined;
  const key = readMachineKey(dataFolder);
  const keys = key ? [publicKeyOf(key)] : [];
  let why = '';
  for (const one of found) {
    const checked = await checkAttestation(one, { repository, commit, keys, now: Date.now() });
    // Signed by another machine or by CI, whose key is not here.
    if (checked.ok || checked.code === 'untrusted-key') return undefined;
    why = checked.why;
  }
  return { commit, why };
}
