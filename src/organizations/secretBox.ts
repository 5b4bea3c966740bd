import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { DomainError } from '../errors.ts';
import type { SecretsKey } from '../storage/secretsKeys.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A secret as the database stores it: encrypted, with the id of the key. */
export interface SealedSecret {
  keyId: string;
  /** Nonce, ciphertext, tag. */
  sealed: Buffer;
}

/** Encrypts secrets for the database. */
export interface SecretBox {
  /**
   * Encrypts a text with the first key. `open` then needs the same identity.
   * @param identity names the row. It is authenticated, but not stored
   * @throws DomainError CONFLICT if there is no key
   */
  seal(text: string, identity: string): SealedSecret;
  /**
   * Decrypts a secret.
   * @throws DomainError CONFIGURATION if the key is no longer set, or the ciphertext was changed or
   *   belongs to another row
   */
  open(sealed: SealedSecret, identity: string): string;
  /** The id of the key that `seal` uses; undefined without keys. */
  keyId: string | undefined;
}

/**
 * Encrypts secrets by AES-256-GCM (NIST SP 800-38D) with a random nonce of 96 bits.
 * @param keys the first one encrypts. The others only decrypt what they encrypted before
 */
export function createSecretBox(keys: readonly SecretsKey[]): SecretBox {
  const [firstKey] = keys;
  return {
    keyId: firstKey?.id,

    seal(secretText, identity) {
      if (!firstKey)
        throw new DomainError(
          'CONFLICT',
          'This service cannot store secrets. The operator must set SECRETS_KEYS.',
        );
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, firstKey.key, nonce).setAAD(Buffer.from(identity));
      const sealed = Buffer.concat([
        nonce,
        cipher.update(secretText, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return { keyId: firstKey.id, sealed };
    },

    open({ keyId, sealed }, identity) {
      const knownKey = keys.find(({ id }) => id === keyId);
      if (!knownKey)
        throw new DomainError(
          'CONFIGURATION',
          `A stored secret is encrypted with the key ${keyId}, which is missing from SECRETS_KEYS`,
        );
      try {
        const [nonce, ciphertext] = [
          sealed.subarray(0, NONCE_BYTES),
          sealed.subarray(NONCE_BYTES, -TAG_BYTES),
        ];
        const decipher = createDecipheriv(ALGORITHM, knownKey.key, nonce, {
          authTagLength: TAG_BYTES,
        });
        decipher.setAAD(Buffer.from(identity)).setAuthTag(sealed.subarray(-TAG_BYTES));
        return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString();
      } catch {
        throw new DomainError(
          'CONFIGURATION',
          `A stored secret cannot be decrypted with the key ${keyId} of SECRETS_KEYS`,
        );
      }
    },
  };
}
