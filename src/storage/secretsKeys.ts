import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DomainError } from '../errors.ts';

const FILE = 'secrets.key';
const KEY_BYTES = 32;

/** A key of SECRETS_KEYS: 32 bytes. What it encrypts names it by its id. */
export interface SecretsKey {
  id: string;
  key: Buffer;
}

/**
 * Parses a comma-separated list of keys, each `<id>:<base64 of 32 bytes>`.
 * @throws DomainError CONFIGURATION, without the keys in its text
 */
export function readSecretsKeys(text: string): SecretsKey[] {
  const keys = text.split(',').map((one) => {
    const [, id, key = ''] = /^([\w.-]{1,64}):([\w+/-]{43}=?)$/.exec(one.trim()) ?? [];
    const bytes = Buffer.from(key, 'base64');
    if (id === undefined || bytes.length !== KEY_BYTES)
      throw wrong('each must be <id>:<base64 of 32 bytes>');
    return { id, key: bytes };
  });
  if (new Set(keys.map(({ id }) => id)).size < keys.length)
    throw wrong('two keys have the same id');
  return keys;
}

const wrong = (what: string) =>
  new DomainError('CONFIGURATION', `Wrong settings: SECRETS_KEYS: ${what}`);

/**
 * Reads a data folder's own key, or creates it. Only this user can read the file.
 * @param folder must exist, and belong to this process
 */
export function ownSecretsKeys(folder: string): SecretsKey[] {
  const file = join(folder, FILE);
  if (!existsSync(file)) makeKey(file);
  return readSecretsKeys(readFileSync(file, 'utf8'));
}

/**
 * Writes a temporary file and links it, so that neither a full disk nor a kill leaves half a key.
 */
function makeKey(file: string) {
  const own = `${file}.${randomUUID()}`;
  const made = `own:${randomBytes(KEY_BYTES).toString('base64')}`;
  try {
    writeFileSync(own, made, { mode: 0o600, flag: 'wx', flush: true });
    linkSync(own, file);
  } catch (error) {
    // EEXIST: another process created the key first
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
}
