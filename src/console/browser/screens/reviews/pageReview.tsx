import type { ComponentChildren } from 'preact';
import { countNoun } from '../../../../browser/counts.ts';
import type { PageReview, ReviewPlace } from '../../../../contract/responses.ts';
import { Button } from '../../ui/controls.tsx';
import { ownDeviceWidth, SharedWidth } from '../../ui/pageFrame.tsx';
import { Loaded, LoadingBones, Notice } from '../../ui/states.tsx';
import { EnlargedPage } from './enlargedPage.tsx';
import { AlikeCard, ReviewPageCard } from './reviewCard.tsx';
import { type ReviewEntry, slugsOfEntry } from './reviewEntries.ts';
import { useIsChangingPages } from './pageChanges.ts';
import { KeyHelp } from './reviewKeys.tsx';
import type { PageReviewState } from './usePageReview.ts';
import { itemId, useReviewList } from './useReviewList.ts';

interface PageReviewProps {
  /** The id of the task or batch. */
  taskId: string;
  review: PageReviewState;
  canLeaveOut: boolean;
  /** The number of pages that the running batch still creates. */
  pendingCount?: number;
  /** What follows the list, such as a button that publishes the pages. */
  children?: ComponentChildren;
}

/**
 * The review of new and changed pages: odd pages first, and pages that are alike folded. Each shows
 * only its texts that differ from the template. Keys go through the list (reviewKeys.tsx).
 */
export function PageReviewSection({ pendingCount = 0, children, ...props }: PageReviewProps) {
  const { reviews } = props.review;
  const isChanging = useIsChangingPages();
  const isLoading = reviews.data === undefined && reviews.error === undefined;
  if (reviews.data?.pages.length === 0) return null;
  return (
    <section class="card padded stack" aria-label="Look">
      {pendingCount > 0 && (
        <Notice>
          {countNoun(pendingCount, 'page')} {pendingCount === 1 ? 'is' : 'are'} still being created.
          Decide and Look show the pages that are ready.
        </Notice>
      )}
      {isChanging || isLoading ? (
        <PagesComing isChanging={isChanging} />
      ) : (
        <Loaded of={reviews}>
          {({ pages, places, omitted }) => (
            <SharedWidth first={ownDeviceWidth()}>
              <ReviewList {...props} pages={pages} places={places} />
              {omitted > 0 && (
                <Notice>
                  {countNoun(omitted, 'further page')} {omitted === 1 ? 'is' : 'are'} not compared
                  here.
                </Notice>
              )}
              {children}
            </SharedWidth>
          )}
        </Loaded>
      )}
    </section>
  );
}

/** Shown in place of the list until it has the current versions of the pages. */
const PagesComing = ({ isChanging }: { isChanging: boolean }) => (
  <>
    <h2>Look</h2>
    <p role="status">
      {isChanging
        ? 'The pages are being changed.'
        : 'The pages are being compared with the template.'}{' '}
      You can look at them in a moment.
    </p>
    <LoadingBones />
  </>
);

interface ReviewListProps extends Omit<PageReviewProps, 'children'> {
  pages: PageReview[];
  places: ReviewPlace[];
}

function ReviewList({ taskId, review, canLeaveOut, pages, places }: ReviewListProps) {
  const { pageOf, verdictOf } = review;
  const list = useReviewList(review, canLeaveOut);
  const placesById = new Map(places.map((place) => [place.placeId, place]));
  const enlargedPage = list.enlargedSlug === undefined ? undefined : pageOf(list.enlargedSlug);
  const renderItem = (item: ReviewEntry, index: number) => {
    const id = itemId(index);
    const itemPages = slugsOfEntry(item).flatMap((slug) => pageOf(slug) ?? []);
    const [page] = itemPages;
    if (!page) return null;
    return item.kind === 'alike' ? (
      <AlikeCard
        key={item.key}
        id={id}
        pages={itemPages}
        places={item.placeIds.flatMap((placeId) => placesById.get(placeId) ?? [])}
        fineCount={itemPages.filter((itemPage) => verdictOf(itemPage) === 'fine').length}
        isUnfolded={list.unfolded.has(item.key)}
        onFine={() => list.toggleMark(item, 'fine')}
        onUnfold={() => list.toggleFold(item.key)}
      />
    ) : (
      <ReviewPageCard
        key={item.key}
        id={id}
        page={page}
        places={placesById}
        verdict={verdictOf(page)}
        canLeaveOut={canLeaveOut}
        onMark={(mark) => list.toggleMark(item, mark)}
        onEnlarge={() => list.enlarge(page.slug)}
      />
    );
  };
  return (
    <>
      <ReviewHead review={review} pages={pages} onHelp={() => list.setHelping(true)} />
      <ul class="review" aria-label="Pages to look at">
        {list.shownItems.map(renderItem)}
      </ul>
      {list.more > 0 && (
        <div>
          <Button little onClick={list.showMore}>
            Show {list.more} more
          </Button>
        </div>
      )}
      {enlargedPage && (
        <EnlargedPage
          taskId={taskId}
          page={enlargedPage}
          places={placesById}
          verdict={verdictOf(enlargedPage)}
          onFine={() => list.markCurrent('fine')}
          onMove={list.move}
          onClose={list.closeEnlarged}
        />
      )}
      {list.isHelping && <KeyHelp canLeaveOut={canLeaveOut} close={() => list.setHelping(false)} />}
    </>
  );
}

function ReviewHead({
  review: { verdictOf },
  pages,
  onHelp,
}: Pick<ReviewListProps, 'review' | 'pages'> & { onHelp: () => void }) {
  const odd = pages.filter(({ oddities }) => oddities.length > 0).length;
  const unseen = pages.filter((page) => verdictOf(page) === 'unseen').length;
  return (
    <div class="row spread">
      <div>
        <h2>Look</h2>
        <p class="muted small">
          {[
            `${countNoun(pages.length, 'page')}, each with the texts that differ from its template`,
            odd > 0 && `${odd} of them unusual`,
            unseen > 0 ? `${unseen} not looked at` : 'all looked at',
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <Button little onClick={onHelp}>
        Keys: press ?
      </Button>
    </div>
  );
}
