import { useRef, useState } from 'preact/hooks';
import type { HostPath } from '../../../../browser/hostPath.ts';
import type { PageReview, PageReviews } from '../../../../contract/responses.ts';
import {
  type PageMark,
  type ReviewVerdict,
  verdictOfMarks,
} from '../../../../contract/reviews/reviewKinds.ts';
import { api } from '../../client/api.ts';
import { useAccount } from '../../client/session.ts';
import { type LoadedData, useAnswer } from '../../useData.ts';
import { listReviewEntries, type ReviewEntry } from './reviewEntries.ts';

/** Other people's marks, and pages that somebody edited, are read this often. */
const ANEW_MS = 60_000;

export interface PageReviewState {
  reviews: LoadedData<PageReviews>;
  /** The entries keep their places as long as the pages are the same. */
  entries: ReviewEntry[];
  pageOf: (slug: string) => PageReview | undefined;
  /** What the marks of all people come to, with the own mark as it was just set. */
  verdictOf: (page: PageReview) => ReviewVerdict;
  markPages: (pages: PageReview[], mark: PageMark | null) => Promise<void>;
}

/** Loads the review of a task's or a batch's pages. @param path `…/reviews` */
export function usePageReview(path: HostPath): PageReviewState {
  const reviews = useAnswer<PageReviews>(path, {}, ANEW_MS);
  const userId = useAccount().user.userId;
  const [ownMarks, setOwnMarks] = useState(new Map<string, PageMark | null>());
  const pages = reviews.data?.pages ?? [];
  const pagesBySlug = new Map(pages.map((page) => [page.slug, page]));
  const keyOf = ({ slug, version }: PageReview) => `${version} ${slug}`;
  return {
    reviews,
    entries: useSteadyEntries(pages),
    pageOf: (slug) => pagesBySlug.get(slug),
    verdictOf(page) {
      const ownMark = ownMarks.get(keyOf(page));
      const isOwn = ({ by }: PageReview['marks'][number]) =>
        by !== null && 'userId' in by && by.userId === userId;
      const marks = page.marks.filter((mark) => ownMark === undefined || !isOwn(mark));
      return verdictOfMarks(ownMark ? [...marks, { mark: ownMark }] : marks);
    },
    async markPages(markedPages, mark) {
      setOwnMarks(
        (marksBefore) =>
          new Map([
            ...marksBefore,
            ...markedPages.map((page): [string, PageMark | null] => [keyOf(page), mark]),
          ]),
      );
      try {
        await api(path, {
          method: 'PATCH',
          body: {
            mark: mark ?? 'none',
            pages: markedPages.map(({ slug, version }) => ({ slug, version })),
          },
        });
      } catch (error) {
        setOwnMarks(new Map());
        reviews.reload();
        throw error;
      }
    },
  };
}

/** Nothing moves under the pointer: the list changes only if pages are added or removed. */
export function useSteadyEntries(pages: PageReview[]): ReviewEntry[] {
  const steady = useRef<{ key: string; entries: ReviewEntry[] }>({ key: '', entries: [] });
  const key = pages
    .map(({ slug }) => slug)
    .toSorted()
    .join('\n');
  if (steady.current.key !== key) steady.current = { key, entries: listReviewEntries(pages) };
  return steady.current.entries;
}
