import { createHmac, randomBytes } from 'node:crypto';

const LENGTH = 22;
const BYTES = 14; // 112 bits: they fit into fewer than 22 base-36 digits

/** A new task's id: unguessable, and valid in a host name, which is case-insensitive. */
export const randomTaskId = () => encodeTaskId(randomBytes(BYTES));

/**
 * A task's id derived from organization and Idempotency-Key: the same for the same values. Only
 * holders of the secret can compute it.
 */
export function derivedTaskId(
  secret: Uint8Array,
  organizationId: string,
  idempotencyKey: string,
): string {
  const digest = createHmac('sha256', secret)
    .update(JSON.stringify([organizationId, idempotencyKey]))
    .digest();
  return encodeTaskId(digest.subarray(0, BYTES));
}

const encodeTaskId = (bytes: Uint8Array) =>
  `bg-${BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
    .toString(36)
    .padStart(LENGTH, '0')}`;
