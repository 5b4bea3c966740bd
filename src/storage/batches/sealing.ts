/** Encrypts texts: see `createSecretBox`. */
export interface Box {
  seal(text: string, identity: string): { keyId: string; sealed: Buffer };
  open(sealed: { keyId: string; sealed: Buffer }, identity: string): string;
}

/** Encrypts values as JSON, each bound to the place where it stands. */
export interface Sealing {
  /** @param place names batch, row and column */
  seal(value: unknown, place: string[]): Buffer;
  open<T>(bytes: Uint8Array, place: string[]): T;
}

/** The key's id stands before the sealed bytes, and ends with a zero. */
export const createSealing = (box: Box): Sealing => ({
  seal(value, place) {
    const { keyId, sealed } = box.seal(JSON.stringify(value), identityOf(place));
    return Buffer.concat([Buffer.from(`${keyId}\0`), sealed]);
  },
  open<T>(bytes: Uint8Array, place: string[]) {
    const all = Buffer.from(bytes);
    const end = all.indexOf(0);
    const keyId = all.subarray(0, end).toString();
    return JSON.parse(box.open({ keyId, sealed: all.subarray(end + 1) }, identityOf(place))) as T;
  },
});

const identityOf = (place: string[]) => ['batch', ...place].join('\n');
