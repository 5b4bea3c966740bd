import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import tls from 'node:tls';

/**
 * The extra certificate authorities that Node was given (NODE_EXTRA_CA_CERTS), together with its usual ones, as a file for git.
 * @param folder where the file is written
 * @returns the file's path; undefined if there are no extra ones, so that git takes the system's
 */
export async function certificatesFile(folder: string): Promise<string | undefined> {
  if (tls.getCACertificates('extra').length === 0) return undefined;
  const path = join(folder, 'certificates.pem');
  await mkdir(folder, { recursive: true });
  await writeFile(`${path}.new`, tls.getCACertificates('default').join('\n'));
  await rename(`${path}.new`, path);
  return path;
}
