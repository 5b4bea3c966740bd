export type { NamedMaker } from './answers/tasks.ts';

/** The person who made something, or the API key. Keys minted by a session count as the person. */
export type Maker = { userId: string } | { keyId: string };

export const makerFrom = (userId: string | null, keyId: string | null): Maker | null => {
  if (userId !== null) return { userId };
  return keyId === null ? null : { keyId };
};

/** A maker's two ids, one of which is null. Both are null without a maker. */
export const idsOf = (maker: Maker | null = null) => ({
  userId: maker && 'userId' in maker ? maker.userId : null,
  keyId: maker && 'keyId' in maker ? maker.keyId : null,
});
