import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { envelopeSchema, publicKeyOf, sealEnvelope, signerOf } from '../../../src/platform/signing/dsse.ts';
import { preAuthEncoding } from '../../../src/platform/signing/pre-auth-encoding.ts';
import { optionalPackage } from '../../support/optional-package.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const other = publicKeyOf(generateKeyPairSync('ed25519').publicKey);
const own = publicKeyOf(privateKey);
const TYPE = 'application/vnd.in-toto+json';

it('[ATTEST-1] an envelope is signed by its key alone, and by no other', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const envelope = sealEnvelope(TYPE, text, privateKey);
      expect(signerOf(envelope, [other, own])?.id).toBe(own.id);
      expect(signerOf(envelope, [other])).toBeUndefined();
      expect(Buffer.from(envelope.payload, 'base64').toString('utf8')).toBe(
        Buffer.from(text).toString('utf8'),
      );
    }),
  );
});

it('[ATTEST-1] any change of text, type or signature ends it', () => {
  const envelope = sealEnvelope(TYPE, '{"a":1}', privateKey);
  const [signature] = envelope.signatures;
  const flipped = Buffer.from(signature?.sig ?? '', 'base64');
  flipped[0] = (flipped[0] ?? 0) ^ 1;
  for (const forged of [
    { ...envelope, payload: Buffer.from('{"a":2}').toString('base64') },
    { ...envelope, payloadType: 'text/plain' },
    { ...envelope, signatures: [] },
    { ...envelope, signatures: [{ keyid: own.id, sig: flipped.toString('base64') }] },
    { ...envelope, signatures: [{ keyid: own.id, sig: '' }] },
  ])
    expect(signerOf(forged, [own])).toBeUndefined();
});

it('the id in a signature is not believed', () => {
  const envelope = sealEnvelope(TYPE, 'x', privateKey);
  const renamed = {
    ...envelope,
    signatures: envelope.signatures.map(({ sig }) => ({ keyid: other.id, sig })),
  };
  expect(signerOf(renamed, [other])).toBeUndefined();
  expect(signerOf(renamed, [other, own])?.id).toBe(own.id);
});

const sigstore = await optionalPackage('@sigstore/core');

it.skipIf('why' in sigstore)(
  `another implementation verifies it${'why' in sigstore ? ` (${sigstore.why})` : ''}`,
  () => {
    const { dsse, crypto } = (sigstore as { module: Sigstore }).module;
    const { payload, payloadType, signatures } = sealEnvelope(TYPE, '{"ä":1}', privateKey);
    const bytes = Buffer.from(payload, 'base64');
    expect(dsse.preAuthEncoding(payloadType, bytes)).toEqual(preAuthEncoding(payloadType, bytes));
    const key = createPublicKey(own.key.export({ type: 'spki', format: 'pem' }));
    const signature = Buffer.from(signatures[0]?.sig ?? '', 'base64');
    expect(crypto.verify(dsse.preAuthEncoding(payloadType, bytes), key, signature)).toBe(true);
    expect(crypto.verify(dsse.preAuthEncoding('other', bytes), key, signature)).toBe(false);
  },
);

interface Sigstore {
  dsse: { preAuthEncoding(type: string, payload: Buffer): Buffer };
  crypto: { verify(data: Buffer, key: unknown, signature: Buffer): boolean };
}

it('reads only envelopes', () => {
  for (const value of [null, [], {}, { payload: '%', payloadType: 'x', signatures: [] }])
    expect(envelopeSchema.safeParse(value).success).toBe(false);
});
