import type { Key } from '../../contract/answers.ts';

/** Whether a key no longer works: it was revoked, or has expired. */
export const isOver = ({ revokedAt, expiresAt }: Key) =>
  revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now());
