import { countNoun } from '../../../../browser/counts.ts';
import { hostPath } from '../../../../browser/hostPath.ts';
import type { PageReview, SiteResponse } from '../../../../contract/responses.ts';
import type { ReviewVerdict } from '../../../../contract/reviews/reviewKinds.ts';
import { api } from '../../client/api.ts';
import { Button } from '../../ui/controls.tsx';
import { askToConfirm } from '../../ui/dialog.tsx';
import { mergeModeAt, publishWords } from '../../words/mergeWords.ts';
import { publishSentence } from '../../words/reviewWords.ts';
import type { PageReviewState } from '../reviews/usePageReview.ts';
import { type BatchActionsProps, sendBatchCommand } from './batchActions.tsx';

interface PublishStepProps extends BatchActionsProps {
  review: PageReviewState;
}

/**
 * The last step of a review: says which pages go live, which wait and which are left out, and
 * publishes the pages that somebody marked as fine.
 */
export function PublishStep({ review, ...props }: PublishStepProps) {
  const { batch } = props;
  const pages = review.reviews.data?.pages ?? [];
  const pagesByVerdict = Map.groupBy(pages, (page) => review.verdictOf(page));
  const countOf = (verdict: ReviewVerdict) => pagesByVerdict.get(verdict)?.length ?? 0;
  const finePages = pagesByVerdict.get('fine') ?? [];
  const sentence = publishSentence({
    live: finePages.length,
    linkFrom: batch.linkFrom,
    unseen: countOf('unseen'),
    leftOut: countOf('left-out'),
    openNotes: finePages.reduce((sum, { openNotes }) => sum + openNotes, 0),
  });
  if (batch.status !== 'completed' && batch.status !== 'waiting') return null;
  return (
    <div class="publish-step">
      <p>{sentence}</p>
      <Button
        look="primary"
        disabled={finePages.length === 0}
        onClick={() => askToPublish(props, { finePages, sentence })}
      >
        {finePages.length === 0 ? 'Publish' : `Publish ${countNoun(finePages.length, 'page')}`}
      </Button>
    </div>
  );
}

async function askToPublish(
  props: BatchActionsProps,
  { finePages, sentence }: { finePages: PageReview[]; sentence: string },
): Promise<void> {
  const { siteId } = props.batch;
  const mergeMode = mergeModeAt((await api<SiteResponse>(hostPath`/sites/${siteId}`)).host);
  const rowNumbers = finePages.flatMap(({ number }) => number ?? []);
  askToConfirm({
    title: `Put ${countNoun(finePages.length, 'page')} live?`,
    text: [
      sentence,
      mergeMode === 'by-people' &&
        'This updates the pull request. After it is merged, publish the batch again so that its rows show their live pages.',
      mergeMode && publishWords[mergeMode],
      'Everyone can see the pages as soon as they are live. An earlier version of the site can be put live again.',
    ]
      .filter(Boolean)
      .join(' '),
    submit: 'Publish',
    isDanger: false,
    onSubmit: () => sendBatchCommand(props, 'publish', rowNumbers),
  });
}
