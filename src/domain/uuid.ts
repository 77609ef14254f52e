import { randomUUID } from 'node:crypto';

/** A version 7 UUID: it begins with the time, so that an index of them grows at its end. */
export function newUuid(now: number): string {
  const time = now.toString(16).padStart(12, '0');
  // Node keeps random bytes in store for these, but not for who asks for sixteen of them. What follows the version
  // is the same in both kinds: twelve random bits, the variant, and more random bits.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
