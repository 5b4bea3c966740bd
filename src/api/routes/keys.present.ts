import type { Key as KeyAnswer } from '../../contract/answers.ts';
import type { NamedMaker } from '../../contract/maker.ts';
import type { Key } from '../../organizations/keyRows.ts';

/**
 * A key without secrets. Fields are named one by one, so that new fields are not exposed by
 * accident.
 */
export const presentKey = (key: Key, createdBy: NamedMaker | null): KeyAnswer => ({
  keyId: key.keyId,
  prefix: key.prefix,
  name: key.name,
  role: key.role,
  createdBy,
  createdAt: key.createdAt,
  lastUsedAt: key.lastUsedAt,
  expiresAt: key.expiresAt,
  revokedAt: key.revokedAt,
});
