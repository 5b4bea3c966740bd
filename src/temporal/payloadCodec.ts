import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import protos from '@temporalio/proto';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { DomainError } from '../errors.ts';
import { readSecretsKeys, type SecretsKey } from '../storage/secretsKeys.ts';

const ALGORITHM = 'aes-256-gcm';
const ENCODING = 'binary/encrypted';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The name that the metadata of Temporal's own samples has for it. */
const KEY_ID = 'encryption-key-id';

const { Payload: PayloadMessage } = protos.temporal.api.common.v1;

interface PayloadSettings {
  secretsKeys: string | undefined;
  encryptPayloads: boolean;
}

/**
 * How this process reads and writes the payloads in Temporal. With SECRETS_KEYS it reads encrypted
 * ones, also once ENCRYPT_PAYLOADS is off again.
 */
export const createDataConverter = ({
  secretsKeys,
  encryptPayloads,
}: PayloadSettings): DataConverter =>
  secretsKeys === undefined
    ? {}
    : { payloadCodecs: [createPayloadCodec(readSecretsKeys(secretsKeys), encryptPayloads)] };

/**
 * Encrypts payloads with AES-256-GCM (NIST SP 800-38D) and a random nonce of 96 bits, in the format
 * of Temporal's own samples. A payload names its key, so keys can be rotated.
 * @param keys the first one encrypts
 * @param encrypts false: new payloads are in plain text
 */
export function createPayloadCodec(keys: readonly SecretsKey[], encrypts: boolean): PayloadCodec {
  const [currentKey] = keys;
  return {
    encode: (payloads) =>
      Promise.try(() =>
        encrypts && currentKey
          ? payloads.map((payload) => encryptPayload(payload, currentKey))
          : payloads,
      ),
    decode: (payloads) =>
      Promise.try(() => payloads.map((payload) => decryptPayload(payload, keys))),
  };
}

function encryptPayload(payload: Payload, { id, key }: SecretsKey): Payload {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  const plaintext = PayloadMessage.encode(payload).finish();
  return {
    metadata: { encoding: Buffer.from(ENCODING), [KEY_ID]: Buffer.from(id) },
    data: Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]),
  };
}

function decryptPayload(payload: Payload, keys: readonly SecretsKey[]): Payload {
  if (metadataOf(payload, 'encoding') !== ENCODING) return payload;
  const keyId = metadataOf(payload, KEY_ID);
  const payloadKey = keys.find(({ id }) => id === keyId);
  if (!payloadKey)
    throw unreadableValue(`was encrypted with the key ${keyId}, which is not in SECRETS_KEYS`);
  const bytes = payload.data ?? new Uint8Array();
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, payloadKey.key, nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const plaintext = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return PayloadMessage.decode(Buffer.concat([plaintext, decipher.final()]));
  } catch {
    throw unreadableValue(`can't be decrypted with the key ${keyId} of SECRETS_KEYS`);
  }
}

const metadataOf = ({ metadata }: Payload, name: string) =>
  Buffer.from(metadata?.[name] ?? []).toString();

const unreadableValue = (reason: string) =>
  new DomainError('CONFIGURATION', `A value that Temporal stores ${reason}`);
