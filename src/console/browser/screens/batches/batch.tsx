import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { countNoun } from '../../../../browser/counts.ts';
import { hostPath } from '../../../../browser/hostPath.ts';
import type { BatchResponse, SiteResponse } from '../../../../contract/responses.ts';
import type { BatchStatus } from '../../../../contract/batches/batch.ts';
import { batchWords, countWords, doneRows, totalRows } from '../../words/batchWords.ts';
import { creatorName } from '../../words/taskWords.ts';
import { forgetData, useAnswer, useSites } from '../../useData.ts';
import { ApprovalPanel } from '../../ui/approvalPanel.tsx';
import { Page } from '../../ui/page.tsx';
import { ProgressBar } from '../../ui/progressBar.tsx';
import { StateDot, Loaded, Problem } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { buildWords } from '../../words/usageWords.ts';
import { BatchActions, type BatchActionsProps } from './batchActions.tsx';
import { BatchNoteList } from './batchNoteList.tsx';
import { PublishStep } from './publishStep.tsx';
import { BatchRowTable } from './batchRows.tsx';
import { PageReviewSection } from '../reviews/pageReview.tsx';
import { usePageReview } from '../reviews/usePageReview.ts';
import { Versions } from '../tasks/versions.tsx';
import { PullRequestPanel } from '../tasks/pullRequest.tsx';

const LIVE_EVERY_MS = 3_000;

/**
 * The screen of a batch: its progress, its rows, and the actions that its state allows. A batch
 * creates a page for each row of a table. The screen reads it again every three seconds.
 */
export function BatchScreen({ batchId }: { batchId: string }) {
  const batch = useAnswer<BatchResponse>(hostPath`/agent/batches/${batchId}`, {}, LIVE_EVERY_MS);
  const [round, setRound] = useState(0);
  const onVersion = () => setRound((roundBefore) => roundBefore + 1);
  const status = useStatusToShow(batch.data?.status);
  return (
    <Loaded of={batch} lines={6} isScreen>
      {(loadedBatch) => (
        <Page
          full
          title={loadedBatch.title}
          crumbs={[['/tasks', 'Tasks']]}
          facts={<BatchFactsLine batch={loadedBatch} />}
          actions={<BatchActions batch={loadedBatch} onChange={batch.set} />}
        >
          {loadedBatch.errorMessage !== undefined && <Problem>{loadedBatch.errorMessage}</Problem>}
          <BatchProgress batch={loadedBatch} />
          <BatchPullRequest batch={loadedBatch} />
          <BatchApproval key={round} batch={loadedBatch} />
          <BatchNoteList key={`${status} ${round}`} batch={loadedBatch} onVersion={onVersion} />
          <BatchReview key={`${status} ${round}`} batch={loadedBatch} onChange={batch.set} />
          <BatchRowTable batch={loadedBatch} onChange={batch.set} />
          {loadedBatch.status !== 'running' && (
            <Versions
              key={`${status} ${round}`}
              paths={versionPathsOf(loadedBatch)}
              onChange={onVersion}
            />
          )}
        </Page>
      )}
    </Loaded>
  );
}

/**
 * The status of a batch, as soon as what was read of it in its former status is forgotten, such as
 * the notes of its first pages. With it as their key, the parts of the screen read everything anew.
 */
function useStatusToShow(status: BatchStatus | undefined): BatchStatus | undefined {
  const [shownStatus, showStatus] = useState(status);
  useLayoutEffect(() => {
    if (shownStatus === status) return;
    if (shownStatus !== undefined) forgetData();
    showStatus(status);
  }, [status]);
  return shownStatus ?? status;
}

const versionPathsOf = ({ batchId }: BatchResponse) => ({
  list: hostPath`/agent/batches/${batchId}/versions`,
  undo: hostPath`/agent/batches/${batchId}/versions/undo`,
});

/** The pages to look at, and the publish of those that are fine. */
function BatchReview(props: BatchActionsProps) {
  const { batchId, status, rows } = props.batch;
  const review = usePageReview(hostPath`/agent/batches/${batchId}/reviews`);
  const listState = `${rows.committed} ${rows.held}`;
  const loadedState = useRef(listState);
  // Rows that are committed or go live change the list. The first load needs no reload.
  useEffect(() => {
    if (loadedState.current === listState) return;
    loadedState.current = listState;
    review.reviews.reload();
  }, [listState]);
  return (
    <PageReviewSection
      taskId={batchId}
      review={review}
      canLeaveOut
      pendingCount={status === 'running' ? rows.waiting + rows.written : 0}
    >
      <PublishStep review={review} {...props} />
    </PageReviewSection>
  );
}

export function BatchState({ batch }: { batch: BatchResponse }) {
  const [kind, stateWords] = batchWords(batch);
  return <StateDot kind={kind}>{stateWords}</StateDot>;
}

function BatchFactsLine({ batch }: { batch: BatchResponse }) {
  const site = useSites().data?.find(({ siteId }) => siteId === batch.siteId);
  const creator = creatorName(batch.createdBy);
  return (
    <>
      <BatchState batch={batch} />
      <span>{countNoun(totalRows(batch.rows), 'row')} of a table</span>
      {site && <a href={`/sites/${site.siteId}`}>{site.name}</a>}
      {creator && <span>By {creator}</span>}
      {batch.usage && <span>{buildWords(batch.usage.builds)}</span>}
      <Time at={batch.createdAt} />
    </>
  );
}

/** The approval that a batch at rest needs before its committed pages can be published. */
function BatchApproval({ batch: { batchId, siteId, status, rows } }: { batch: BatchResponse }) {
  const site = useSites().data?.find((listedSite) => listedSite.siteId === siteId);
  const isResting = status === 'completed' || status === 'waiting';
  if (site?.publishApproval !== 'another-person' || !isResting || rows.committed === 0) return null;
  return <ApprovalPanel key={status} path={hostPath`/agent/batches/${batchId}/approvals`} />;
}

function BatchPullRequest({ batch: { siteId, pullRequestUrl, rows } }: { batch: BatchResponse }) {
  const host = useAnswer<SiteResponse>(hostPath`/sites/${siteId}`).data?.host;
  return (
    <PullRequestPanel
      url={pullRequestUrl}
      host={host}
      what="The pages"
      isLive={rows.published > 0}
    />
  );
}

function BatchProgress({ batch: { status, rows } }: { batch: BatchResponse }) {
  const [doneCount, totalCount] = [doneRows(rows), totalRows(rows)];
  const percent = Math.floor((doneCount / totalCount) * 100);
  const isRunning = status === 'running';
  return (
    <section class="card padded stack" aria-label="Progress">
      <div class="row spread">
        <span class="strong">
          {doneCount} of {countNoun(totalCount, 'row')} done
        </span>
        <span class="muted small">
          {isRunning ? 'You can leave this page. The batch continues.' : countWords(rows)}
        </span>
      </div>
      <ProgressBar
        percent={percent}
        least={isRunning ? 4 : 0}
        words={`${doneCount} of ${totalCount} rows`}
      />
      {isRunning && (
        <p class="small muted">
          {progressRemark(doneCount, totalCount)}
          {countWords(rows)}
        </p>
      )}
    </section>
  );
}

const progressRemark = (doneCount: number, totalCount: number) =>
  doneCount < totalCount
    ? ''
    : 'All rows are done. The service prepares the preview, and then publishes the pages if you chose that. ';
