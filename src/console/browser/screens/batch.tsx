import { count } from '../../../browser/counts.ts';
import { path } from '../../../browser/path.ts';
import type { Batch, OneSite } from '../../../contract/answers.ts';
import { batchWords, countWords, doneOf, totalOf } from '../batchWords.ts';
import { makerOf } from '../taskWords.ts';
import { useAnswer, useSites } from '../useData.ts';
import { Page } from '../ui/page.tsx';
import { ProgressBar } from '../ui/progressBar.tsx';
import { Dot, Loaded, Problem } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { buildsOf } from '../usageWords.ts';
import { BatchActions } from './batchActions.tsx';
import { BatchRows } from './batchRows.tsx';
import { PullRequest } from './pullRequest.tsx';

const LIVE_EVERY_MS = 3_000;

/** A batch: its progress, and its rows. All of it is read again while it is shown. */
export function BatchScreen({ batchId }: { batchId: string }) {
  const batch = useAnswer<Batch>(path`/agent/batches/${batchId}`, {}, LIVE_EVERY_MS);
  return (
    <Loaded of={batch} lines={6}>
      {(read) => (
        <Page
          full
          title={read.title}
          crumbs={[['/tasks', 'Tasks']]}
          facts={<Facts batch={read} />}
          actions={<BatchActions batch={read} onChange={batch.set} />}
        >
          {read.errorMessage !== undefined && <Problem>{read.errorMessage}</Problem>}
          <Progress batch={read} />
          <BatchPullRequest batch={read} />
          <BatchRows batch={read} onChange={batch.set} />
        </Page>
      )}
    </Loaded>
  );
}

export function BatchState({ batch }: { batch: Batch }) {
  const [kind, words] = batchWords(batch);
  return <Dot kind={kind}>{words}</Dot>;
}

function Facts({ batch }: { batch: Batch }) {
  const site = useSites().data?.find(({ siteId }) => siteId === batch.siteId);
  const maker = makerOf(batch.createdBy);
  return (
    <>
      <BatchState batch={batch} />
      <span>{count(totalOf(batch.rows), 'row')} of a table</span>
      {site && <a href={`/sites/${site.siteId}`}>{site.name}</a>}
      {maker && <span>By {maker}</span>}
      {batch.usage && <span>{buildsOf(batch.usage.builds)}</span>}
      <Time at={batch.createdAt} />
    </>
  );
}

function BatchPullRequest({ batch: { siteId, pullRequestUrl, rows } }: { batch: Batch }) {
  const host = useAnswer<OneSite>(path`/sites/${siteId}`).data?.host;
  return (
    <PullRequest url={pullRequestUrl} host={host} what="The pages" isLive={rows.published > 0} />
  );
}

function Progress({ batch: { status, rows } }: { batch: Batch }) {
  const [done, total] = [doneOf(rows), totalOf(rows)];
  const percent = Math.floor((done / total) * 100);
  const isRunning = status === 'running';
  return (
    <section class="card padded stack" aria-label="Progress">
      <div class="row spread">
        <span class="strong">
          {done} of {count(total, 'row')} done
        </span>
        <span class="muted small">
          {isRunning ? 'You can leave this page. The batch goes on.' : countWords(rows)}
        </span>
      </div>
      <ProgressBar percent={percent} least={isRunning ? 4 : 0} words={`${done} of ${total} rows`} />
      {isRunning && (
        <p class="small muted">
          {stepOf(done, total)}
          {countWords(rows)}
        </p>
      )}
    </section>
  );
}

const stepOf = (done: number, total: number) =>
  done < total ? '' : 'All rows are done. The preview is prepared, and pages go live if asked to. ';
