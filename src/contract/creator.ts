export type { NamedCreator as NamedMaker } from './responses/tasks.ts';

/** The person who made something, or the API key. Keys minted by a session count as the person. */
export type Creator = { userId: string } | { keyId: string };

export const creatorFromIds = (userId: string | null, keyId: string | null): Creator | null => {
  if (userId !== null) return { userId };
  return keyId === null ? null : { keyId };
};

/** A maker's two ids, one of which is null. Both are null without a maker. */
export const creatorIds = (creator: Creator | null = null) => ({
  userId: creator && 'userId' in creator ? creator.userId : null,
  keyId: creator && 'keyId' in creator ? creator.keyId : null,
});
