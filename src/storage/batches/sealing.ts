import { DomainError } from '../../errors.ts';

/** Encrypts texts: see `createSecretBox`. */
export interface Box {
  seal(text: string, identity: string): { keyId: string; sealed: Buffer };
  open(sealed: { keyId: string; sealed: Buffer }, identity: string): string;
}

/** Encrypts values as JSON, each bound to the place where it stands. */
export interface Sealing {
  /** @param place names batch, row and column */
  seal(value: unknown, place: string[]): string;
  /** @throws DomainError CONFIGURATION if the service lacks the key, for those who asked */
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
    const one = { keyId, sealed: Buffer.from(sealed, 'base64') };
    return JSON.parse(opened(() => box.open(one, identityOf(place)), keyId)) as T;
  },
});

function opened(open: () => string, keyId: string): string {
  try {
    return open();
  } catch (cause) {
    throw new DomainError(
      'CONFIGURATION',
      `Its texts can't be decrypted: ask the operator of the service for the key ${keyId} in ` +
        'SECRETS_KEYS, and retry then; or skip it, and send its texts again in another batch',
      { cause },
    );
  }
}

const identityOf = (place: string[]) => ['batch', ...place].join('\n');
