import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import type { OpenableSite } from '../../../contract/site.ts';
import { checkId } from '../refNames.ts';

const DIGITS = 16;

/**
 * The name of a site's clone: its id and a digest of the repository's URL, so that the contents of
 * one repository never get into the clone of another one.
 */
export function cloneName({ siteId, repository }: Pick<OpenableSite, 'siteId' | 'repository'>) {
  const digest = createHash('sha256').update(repository.url).digest('hex').slice(0, DIGITS);
  return `${checkId(siteId)}-${digest}`;
}

/** The id of the site that a clone belongs to. */
export const siteOfClone = (name: string) => name.slice(0, -DIGITS - 1);

/** The names of the clones in the folder. */
export async function listClones(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith('.git')).map((name) => basename(name, '.git'));
}
