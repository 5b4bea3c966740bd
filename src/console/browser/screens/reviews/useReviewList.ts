import { useEffect, useState } from 'preact/hooks';
import { errorText } from '../../../../browser/sendRequest.ts';
import type { PageMark } from '../../../../contract/reviews/reviewKinds.ts';
import { toast } from '../../ui/toasts.tsx';
import { type ReviewEntry, slugsOfEntry, unfoldEntries } from './reviewEntries.ts';
import { useReviewKeys } from './reviewKeys.tsx';
import type { PageReviewState } from './usePageReview.ts';

/** Entries that are drawn at once. */
const ENTRIES = 50;

/** The id of the element of an entry. */
export const itemId = (index: number) => `review-${index}`;

const hasFocus = (index: number) =>
  document.getElementById(itemId(index))?.contains(document.activeElement) ?? false;

/**
 * The list of a review: which entries are shown, unfolded and enlarged, and what keys do. The entry
 * with the focus is the current one.
 */
export function useReviewList(
  { entries, pageOf, ...review }: PageReviewState,
  canLeaveOut: boolean,
) {
  const [unfolded, setUnfolded] = useState(new Set<string>());
  const [shownCount, setShownCount] = useState(ENTRIES);
  const [enlargedSlug, enlarge] = useState<string>();
  const [isHelping, setHelping] = useState(false);
  const focusItem = useFocusLater();
  const items = unfoldEntries(entries, unfolded);
  const shownItems = items.slice(0, shownCount);
  const currentIndex = () =>
    shownItems.findIndex((item, index) =>
      enlargedSlug === undefined
        ? hasFocus(index)
        : item.kind === 'page' && item.key === enlargedSlug,
    );
  const currentItem = () => shownItems[currentIndex()];
  const moveTo = (index: number) => {
    const item = items[index];
    if (!item) return;
    if (index >= shownCount) setShownCount(index + ENTRIES);
    if (enlargedSlug !== undefined) enlarge(item.kind === 'page' ? item.key : undefined);
    focusItem(index);
  };
  const move = (step: 1 | -1) => moveTo(Math.max(0, currentIndex() + step));
  /** Marks the pages of an entry. If all have the mark already, takes it back. */
  const toggleMark = async (item: ReviewEntry, mark: PageMark) => {
    const pages = slugsOfEntry(item).flatMap((slug) => pageOf(slug) ?? []);
    const hasMark = pages.every((page) => review.verdictOf(page) === mark);
    await review.markPages(pages, hasMark ? null : mark);
  };
  const markCurrent = (mark: PageMark) => {
    const item = currentItem();
    if (!item || (item.kind === 'alike' && mark === 'left-out')) return;
    toggleMark(item, mark).catch((error: unknown) => toast(errorText(error), 'bad'));
    moveTo(currentIndex() + 1);
  };
  const toggleFold = (key: string) =>
    setUnfolded((keys) => keys.symmetricDifference(new Set([key])));
  const closeEnlarged = () => {
    focusItem(currentIndex());
    enlarge(undefined);
  };
  useReviewKeys({
    move,
    fine: () => markCurrent('fine'),
    leaveOut: () => canLeaveOut && markCurrent('left-out'),
    edit() {
      const editUrl = pageOf(currentItem()?.key ?? '')?.editUrl;
      if (editUrl) window.open(editUrl, '_blank', 'noopener');
    },
    enlarge() {
      const item = currentItem();
      if (enlargedSlug !== undefined) closeEnlarged();
      else if (item?.kind === 'page') enlarge(item.key);
      else if (item) toggleFold(item.key);
    },
    help: () => setHelping(true),
  });
  return {
    shownItems,
    unfolded,
    more: Math.min(ENTRIES, items.length - shownItems.length),
    showMore: () => setShownCount(shownCount + ENTRIES),
    enlargedSlug,
    enlarge,
    closeEnlarged,
    isHelping,
    setHelping,
    move,
    markCurrent,
    toggleMark,
    toggleFold,
  };
}

/** Returns a function that moves the focus to an entry, once the entry is drawn. */
function useFocusLater(): (index: number) => void {
  const [wanted, setWanted] = useState({ index: -1 });
  useEffect(() => document.getElementById(itemId(wanted.index))?.focus(), [wanted]);
  return (index) => setWanted({ index });
}
