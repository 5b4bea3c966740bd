import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import tls from 'node:tls';

/**
 * Writes the file `certificates.pem` with all certificate authorities that git should trust: those
 * of Node (with NODE_EXTRA_CA_CERTS) and those of the system. Also makes an empty folder,
 * `certificates.pem.none`, which git gets as its folder of certificates. If git had the system's
 * folder, each command would read all files in it.
 * @param folder where both are written
 * @returns the path of the file
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
