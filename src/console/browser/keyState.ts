import type { Key } from '../../contract/answers.ts';

/** Whether a key works no more. */
export const isOver = ({ revokedAt, expiresAt }: Key) =>
  revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now());
