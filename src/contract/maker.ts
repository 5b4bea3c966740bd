/** Who made something: a person, or an API key that no session minted. */
export type Maker = { userId: string } | { keyId: string };

/** A maker with its name; null where that is not known any more, or it has none. */
export type NamedMaker = Maker & { name: string | null };
