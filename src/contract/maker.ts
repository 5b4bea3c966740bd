/** Who made something: a person, or an API key that no session minted. */
export type Maker = { userId: string } | { keyId: string };

export const makerFrom = (userId: string | null, keyId: string | null): Maker | null => {
  if (userId !== null) return { userId };
  return keyId === null ? null : { keyId };
};

/** The ids of a maker: one of them is null, and both are without a maker. */
export const idsOf = (maker: Maker | null = null) => ({
  userId: maker && 'userId' in maker ? maker.userId : null,
  keyId: maker && 'keyId' in maker ? maker.keyId : null,
});

/** A maker with its name; null if the name is no longer known, or there is none. */
export type NamedMaker = Maker & { name: string | null };
