import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The task that may be edited, its organization, and the API key or share that allowed it. The
 * grant ends when that key or share does.
 */
export type Grant = { organizationId: string; taskId: string } & (
  | { keyId: string }
  | { shareId: string }
);

/**
 * A `link` opens the editor, which then works with a `session`. Neither is accepted as the other.
 */
export type GrantKind = 'link' | 'session';

export interface Grants {
  /** A secret token that proves the grant until `expiresAt`. */
  issue(kind: GrantKind, grant: Grant): { token: string; expiresAt: Date };
  /** The token's grant; null for a forged or expired token, or one of another kind. */
  read(kind: GrantKind, token: string): Grant | null;
}

/** Milliseconds. */
export const lifetimes: Record<GrantKind, number> = { link: 10 * 60_000, session: 2 * 60 * 60_000 };

const LONGEST_TOKEN = 1_000;

/**
 * Grants to edit a task's pages. They are signed and not stored: every process that knows the
 * secret can read them.
 * @param secret key of the HMAC
 */
export function createGrants(secret: Uint8Array): Grants {
  const sign = (kind: GrantKind, payload: string) =>
    createHmac('sha256', secret).update(`${kind} ${payload}`).digest('base64url');

  return {
    issue(kind, { organizationId, taskId, ...by }) {
      const expires = Date.now() + lifetimes[kind];
      const allowedBy = 'keyId' in by ? [by.keyId] : ['', by.shareId];
      const payload = Buffer.from(
        JSON.stringify([organizationId, taskId, expires, ...allowedBy]),
      ).toString('base64url');
      return { token: `${payload}.${sign(kind, payload)}`, expiresAt: new Date(expires) };
    },

    read(kind, token) {
      const [payload = '', signature = '', ...others] =
        token.length > LONGEST_TOKEN ? [] : token.split('.');
      if (others.length > 0 || !isEqual(signature, sign(kind, payload))) return null;
      const [organizationId, taskId, expires, keyId, shareId] = JSON.parse(
        Buffer.from(payload, 'base64url').toString(),
      ) as [string, string, number, string | undefined, string | undefined];
      if (expires <= Date.now()) return null;
      if (shareId !== undefined) return { organizationId, taskId, shareId };
      return keyId === undefined ? null : { organizationId, taskId, keyId };
    },
  };
}

function isEqual(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
