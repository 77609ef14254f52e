// Apart from dsse.ts, whose schema takes long to load: every hook checks signatures.

/** The signed bytes: type and text with their lengths, so that one cannot pass as part of the other. */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType);
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${type.length} `),
    type,
    Buffer.from(` ${payload.length} `),
    payload,
  ]);
}
