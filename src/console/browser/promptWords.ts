import { count, firstNames } from '../../browser/counts.ts';
import type { TriedChanges } from '../../contract/check.ts';

const NAMED = 3;

/** Says what instructions would do: "This changes 14 pages: /, /about, /blog and 11 more." */
export function changedWords({ pagesCreated, pagesModified, pagesDeleted }: TriedChanges): string {
  const parts: [does: string, slugs: string[]][] = [
    ['makes', pagesCreated],
    ['changes', pagesModified],
    ['deletes', pagesDeleted],
  ];
  const said = parts
    .filter(([, slugs]) => slugs.length > 0)
    .map(([does, slugs]) =>
      slugs.length === 1
        ? `${does} ${slugs[0]}`
        : `${does} ${count(slugs.length, 'page')}: ${firstNames(slugs, NAMED)}`,
    );
  return said.length > 0 ? `This ${said.join('; ')}.` : 'This changes nothing.';
}
