/** Encrypts texts: see `createSecretBox`. */
export interface Box {
  seal(text: string, identity: string): { keyId: string; sealed: Buffer };
  open(sealed: { keyId: string; sealed: Buffer }, identity: string): string;
}

/** Encrypts values as JSON, each bound to the place where it stands. */
export interface Sealing {
  /** @param place names batch, row and column */
  seal(value: unknown, place: string[]): string;
  open<T>(text: string, place: string[]): T;
}

/**
 * `<id of the key>:<base64>`. Not `bytea`: the embedded database's client converts bytes one by
 * one, which takes seconds for a large batch.
 */
export const createSealing = (box: Box): Sealing => ({
  seal(value, place) {
    const { keyId, sealed } = box.seal(JSON.stringify(value), identityOf(place));
    return `${keyId}:${sealed.toString('base64')}`;
  },
  open<T>(text: string, place: string[]) {
    const [keyId = '', sealed = ''] = text.split(':');
    return JSON.parse(
      box.open({ keyId, sealed: Buffer.from(sealed, 'base64') }, identityOf(place)),
    ) as T;
  },
});

const identityOf = (place: string[]) => ['batch', ...place].join('\n');
