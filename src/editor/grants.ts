import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The task, batch or site that may be edited, its organization, and the API key or share that
 * allowed it. The grant ends when that key or share does.
 */
export type EditGrant = { organizationId: string; taskId: string } & (
  | { keyId: string }
  | { shareId: string }
);

/**
 * A `link` opens the editor, which then works with a `session`. Neither is accepted as the other.
 */
export type GrantKind = 'link' | 'session';

export interface EditGrants {
  /** A secret token that proves the grant until `expiresAt`. */
  issue(kind: GrantKind, grant: EditGrant): { token: string; expiresAt: Date };
  /** The token's grant; null for a forged or expired token, or one of another kind. */
  read(kind: GrantKind, token: string): EditGrant | null;
}

/** Milliseconds. */
export const grantLifetimes: Record<GrantKind, number> = {
  link: 10 * 60_000,
  session: 2 * 60 * 60_000,
};

const MAX_TOKEN_LENGTH = 1_000;

/**
 * Grants to edit a task's pages. They are signed and not stored: every process that knows the
 * secret can read them.
 * @param secret key of the HMAC
 */
export function createGrants(secret: Uint8Array): EditGrants {
  const sign = (kind: GrantKind, payload: string) =>
    createHmac('sha256', secret).update(`${kind} ${payload}`).digest('base64url');

  return {
    issue(kind, { organizationId, taskId, ...holder }) {
      const expires = Date.now() + grantLifetimes[kind];
      const allowedBy = 'keyId' in holder ? [holder.keyId] : ['', holder.shareId];
      const payload = Buffer.from(
        JSON.stringify([organizationId, taskId, expires, ...allowedBy]),
      ).toString('base64url');
      return { token: `${payload}.${sign(kind, payload)}`, expiresAt: new Date(expires) };
    },

    read(kind, token) {
      const [payload = '', signature = '', ...extraParts] =
        token.length > MAX_TOKEN_LENGTH ? [] : token.split('.');
      if (extraParts.length > 0 || !isSameSignature(signature, sign(kind, payload))) return null;
      const [organizationId, taskId, expires, keyId, shareId] = JSON.parse(
        Buffer.from(payload, 'base64url').toString(),
      ) as [string, string, number, string | undefined, string | undefined];
      if (expires <= Date.now()) return null;
      if (shareId !== undefined) return { organizationId, taskId, shareId };
      return keyId === undefined ? null : { organizationId, taskId, keyId };
    },
  };
}

function isSameSignature(signature: string, expected: string): boolean {
  const [signatureBytes, expectedBytes] = [Buffer.from(signature), Buffer.from(expected)];
  return (
    signatureBytes.length === expectedBytes.length && timingSafeEqual(signatureBytes, expectedBytes)
  );
}
