import type { PageReview } from '../../../../contract/responses.ts';

/** An entry of the list: a page, or pages that are alike and folded into one entry. */
export type ReviewEntry =
  | { kind: 'page'; key: string; slug: string }
  | { kind: 'alike'; key: string; slugs: string[]; placeIds: string[] };

/** Fewer pages than this are not folded. */
const FEWEST_ALIKE = 3;

/**
 * Lists odd pages one by one, then the other pages: those that differ from their template at the
 * same places are one entry.
 */
export function listReviewEntries(pages: PageReview[]): ReviewEntry[] {
  const pageEntry = ({ slug }: PageReview): ReviewEntry => ({ kind: 'page', key: slug, slug });
  const plainPages = pages.filter(({ oddities }) => oddities.length === 0);
  const groups = Map.groupBy(plainPages, ({ templatePageSlug, texts }) =>
    JSON.stringify([templatePageSlug, texts.map(({ placeId }) => placeId)]),
  );
  return [
    ...pages.filter(({ oddities }) => oddities.length > 0).map(pageEntry),
    ...[...groups].flatMap(([key, groupPages]): ReviewEntry | ReviewEntry[] =>
      groupPages.length < FEWEST_ALIKE
        ? groupPages.map(pageEntry)
        : {
            kind: 'alike',
            key,
            slugs: groupPages.map(({ slug }) => slug),
            placeIds: groupPages[0]!.texts.map(({ placeId }) => placeId),
          },
    ),
  ];
}

/** The pages that an entry stands for. */
export const slugsOfEntry = (entry: ReviewEntry): string[] =>
  entry.kind === 'page' ? [entry.slug] : entry.slugs;

/** The entries that are shown: the pages of an unfolded entry follow it. */
export const unfoldEntries = (entries: ReviewEntry[], unfolded: Set<string>): ReviewEntry[] =>
  entries.flatMap((entry) =>
    entry.kind === 'alike' && unfolded.has(entry.key)
      ? [entry, ...entry.slugs.map((slug): ReviewEntry => ({ kind: 'page', key: slug, slug }))]
      : [entry],
  );
