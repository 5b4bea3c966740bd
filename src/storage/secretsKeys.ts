import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DomainError } from '../errors.ts';

const KEY_FILE = 'secrets.key';
const KEY_BYTES = 32;

/** A key of SECRETS_KEYS: 32 bytes. Each encrypted value names its key by the key's id. */
export interface SecretsKey {
  id: string;
  key: Buffer;
}

/**
 * Parses a comma-separated list of keys, each `<id>:<base64 of 32 bytes>`.
 * @throws DomainError CONFIGURATION, without the keys in its text
 */
export function readSecretsKeys(text: string): SecretsKey[] {
  const keys = text.split(',').map((entry) => {
    const [, id, encodedKey = ''] = /^([\w.-]{1,64}):([\w+/-]{43}=?)$/.exec(entry.trim()) ?? [];
    const bytes = Buffer.from(encodedKey, 'base64');
    if (id === undefined || bytes.length !== KEY_BYTES)
      throw keysError('each must be <id>:<base64 of 32 bytes>');
    return { id, key: bytes };
  });
  if (new Set(keys.map(({ id }) => id)).size < keys.length)
    throw keysError('two keys have the same ID');
  return keys;
}

const keysError = (problem: string) =>
  new DomainError('CONFIGURATION', `Invalid settings: SECRETS_KEYS: ${problem}`);

/**
 * Reads a data folder's own key, or creates it. Only this user can read the file.
 * @param folder must exist, and belong to this process
 */
export function ownSecretsKeys(folder: string): SecretsKey[] {
  const file = join(folder, KEY_FILE);
  if (!existsSync(file)) makeKey(file);
  return readSecretsKeys(readFileSync(file, 'utf8'));
}

/**
 * Writes a temporary file and links it, so that neither a full disk nor a kill leaves half a key.
 */
function makeKey(file: string) {
  const temporaryFile = `${file}.${randomUUID()}`;
  const newKey = `own:${randomBytes(KEY_BYTES).toString('base64')}`;
  try {
    writeFileSync(temporaryFile, newKey, { mode: 0o600, flag: 'wx', flush: true });
    linkSync(temporaryFile, file);
  } catch (error) {
    // EEXIST: another process created the key first
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporaryFile, { force: true });
  }
}
