/** Who made something: a person, or an API key that no session minted. */
export type Maker = { userId: string } | { keyId: string };
