import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import * as z from 'zod';
import { preAuthEncoding } from './pre-auth-encoding.ts';

/** A signed text in a DSSE envelope (https://github.com/secure-systems-lab/dsse). */
export const envelopeSchema = z.object({
  payloadType: z.string().min(1).max(200),
  payload: z.base64().max(4_000_000),
  signatures: z.array(z.object({ keyid: z.string().max(200).optional(), sig: z.base64().max(1000) })).max(20),
});

export type Envelope = z.infer<typeof envelopeSchema>;

/** An ed25519 key. */
export interface PublicKey {
  id: string;
  key: KeyObject;
}

/** Identifies a key by the digest of its public part. */
export function publicKeyOf(key: KeyObject): PublicKey {
  const open = key.type === 'private' ? createPublicKey(key) : key;
  const id = createHash('sha256')
    .update(open.export({ type: 'spki', format: 'der' }))
    .digest('hex');
  return { id, key: open };
}

/** Puts a text in an envelope; without a key it stays unsigned. */
export function sealEnvelope(payloadType: string, text: string, key: KeyObject | undefined): Envelope {
  const payload = Buffer.from(text);
  const signature = key && {
    keyid: publicKeyOf(key).id,
    sig: sign(null, preAuthEncoding(payloadType, payload), key).toString('base64'),
  };
  return {
    payloadType,
    payload: payload.toString('base64'),
    signatures: signature ? [signature] : [],
  };
}

/** The first of these keys that signed the envelope. The id in a signature is only a hint, so every key is tried. */
export function signerOf(envelope: Envelope, keys: readonly PublicKey[]): PublicKey | undefined {
  const bytes = preAuthEncoding(envelope.payloadType, Buffer.from(envelope.payload, 'base64'));
  return keys.find(({ key }) =>
    envelope.signatures.some(({ sig }) => verify(null, bytes, key, Buffer.from(sig, 'base64'))),
  );
}
