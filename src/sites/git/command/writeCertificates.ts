import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import tls from 'node:tls';

/**
 * Writes the certificate authorities of Node (NODE_EXTRA_CA_CERTS included) and of the system into
 * a file for git. Makes an empty folder `<file>.none` beside it. git gets this folder instead of
 * the system's, whose files it would all read at each command.
 * @param folder where the file is written
 * @returns the file's path
 */
export async function writeCertificates(folder: string): Promise<string> {
  const path = join(folder, 'certificates.pem');
  const authorities = new Set([
    ...tls.getCACertificates('default'),
    ...tls.getCACertificates('system'),
  ]);
  await mkdir(`${path}.none`, { recursive: true });
  await writeFile(`${path}.new`, [...authorities].join('\n'));
  await rename(`${path}.new`, path);
  return path;
}
