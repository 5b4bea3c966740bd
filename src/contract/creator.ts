export type { NamedCreator } from './responses/tasks.ts';

/** The person or the API key that created something. Keys of a person's session are the person. */
export type Creator = { userId: string } | { keyId: string };

export const creatorFromIds = (userId: string | null, keyId: string | null): Creator | null => {
  if (userId !== null) return { userId };
  return keyId === null ? null : { keyId };
};

/** The two ids of a creator, one of which is null. Both are null without a creator. */
export const creatorIds = (creator: Creator | null = null) => ({
  userId: creator && 'userId' in creator ? creator.userId : null,
  keyId: creator && 'keyId' in creator ? creator.keyId : null,
});
