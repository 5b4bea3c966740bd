import { countNoun, firstNames } from '../../../browser/counts.ts';
import type { TriedChanges } from '../../../contract/checks.ts';

const NAMED = 3;

/** Says what instructions would do: "This changes 14 pages: /, /about, /blog and 11 more." */
export function changedWords({ pagesCreated, pagesModified, pagesDeleted }: TriedChanges): string {
  const changeParts: [does: string, slugs: string[]][] = [
    ['creates', pagesCreated],
    ['changes', pagesModified],
    ['deletes', pagesDeleted],
  ];
  const partWords = changeParts
    .filter(([, slugs]) => slugs.length > 0)
    .map(([verb, slugs]) =>
      slugs.length === 1
        ? `${verb} ${slugs[0]}`
        : `${verb} ${countNoun(slugs.length, 'page')}: ${firstNames(slugs, NAMED)}`,
    );
  return partWords.length > 0 ? `This ${partWords.join('; ')}.` : 'This changes nothing.';
}
