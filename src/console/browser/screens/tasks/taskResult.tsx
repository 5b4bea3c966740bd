import { hostPath } from '../../../../browser/hostPath.ts';
import { useEffect } from 'preact/hooks';
import type {
  NoteResponse,
  SiteResponse,
  PageDiffResponse,
  SiteSummary,
  SiteHost,
  Task,
  TaskOutputResponse,
} from '../../../../contract/responses.ts';
import type { Page } from '../../../../contract/task.ts';
import { ButtonLink } from '../../ui/controls.tsx';
import { EmptyCard, Notice } from '../../ui/states.tsx';
import { countNoun } from '../../../../browser/counts.ts';
import { isOpenNote, isRequestedChange, mostUrgentFirst } from '../../words/noteWords.ts';
import { livePageUrl } from '../../livePageUrl.ts';
import { useAnswer } from '../../useData.ts';
import { TaskNotes } from './taskNotes.tsx';
import { PullRequestPanel } from './pullRequest.tsx';
import { PageFrame, PreviewElsewhere, useEdits, WidthToggle } from '../../ui/pageFrame.tsx';

interface ChangedPage {
  page: Page;
  change: PageDiffResponse['change'];
}

interface ResultProps {
  task: Task;
  output: TaskOutputResponse;
  site: SiteSummary | undefined;
  /** Reads the task again. */
  reload: () => void;
  /** Counts the versions that the person made on this screen, so that the previews show them. */
  round: number;
  /** Called after the task got a new version. */
  onVersion: () => void;
}

const embeddedSiteHost: SiteHost = { type: 'embedded' };

/** Shows the result of a task: a card for each changed page, with its notes. */
export function TaskResultCards({ output, site, ...taskProps }: ResultProps) {
  const { task } = taskProps;
  const pageLists: [Page[], ChangedPage['change']][] = [
    [output.pagesCreated, 'created'],
    [output.pagesModified, 'modified'],
    [output.pagesDeleted, 'deleted'],
  ];
  const changedPages = pageLists.flatMap(([pages, change]) =>
    pages.map((page): ChangedPage => ({ page, change })),
  );
  const notes = mostUrgentFirst(output.notes ?? []);
  const slugs = new Set(changedPages.map(({ page }) => page.slug));
  const openCount = notes.filter(isOpenNote).length;
  const loadedSite = useAnswer<SiteResponse>(hostPath`/sites/${task.siteId}`);
  const host = loadedSite.error === undefined ? loadedSite.data?.host : embeddedSiteHost;
  const generalNotes = notes.filter(({ page }) => page === undefined || !slugs.has(page));
  return (
    <>
      {output.summary && <p class="lines">{output.summary}</p>}
      <PullRequestPanel
        url={output.pullRequestUrl ?? undefined}
        host={host}
        what="The changes"
        isLive={task.publication !== null}
      />
      {generalNotes.length > 0 && <GeneralNotes {...taskProps} notes={generalNotes} />}
      {changedPages.length === 0 ? (
        <EmptyCard icon="check" title="Nothing had to change">
          The pages already have these texts.
        </EmptyCard>
      ) : (
        <div class="row spread">
          <h2>
            {countNoun(changedPages.length, 'page')}
            {openCount > 0 && (
              <span class="muted"> · {countNoun(openCount, 'thing')} to check</span>
            )}
            {openCount === 0 && !notes.every(isRequestedChange) && (
              <span class="muted"> · all checked</span>
            )}
          </h2>
          {host?.type === 'embedded' && <WidthToggle />}
        </div>
      )}
      {changedPages.map(({ page, change }) => (
        <ResultPageCard
          key={page.slug}
          {...taskProps}
          site={site}
          page={page}
          change={change}
          host={host}
          notes={notes.filter((note) => note.page === page.slug)}
        />
      ))}
    </>
  );
}

const GeneralNotes = (props: Parameters<typeof TaskNotes>[0]) =>
  props.notes.some(isOpenNote) ? (
    <Notice kind="warn">
      <div class="stack tight">
        <TaskNotes {...props} />
      </div>
    </Notice>
  ) : (
    <TaskNotes {...props} />
  );

const changeWords = { created: 'New', modified: 'Changed', deleted: 'Deleted' };

interface ResultPageProps extends ChangedPage, Omit<ResultProps, 'output'> {
  notes: NoteResponse[];
  /** The site's host; undefined while it is not known. */
  host: SiteHost | undefined;
}

function ResultPageCard({ site, page, change, notes, host, ...taskProps }: ResultPageProps) {
  const { task, reload, round } = taskProps;
  const { slug, previewUrl, editUrl, publishedUrl, externalId } = page;
  const { edits, onEdit } = useEdits();
  useEffect(() => {
    // An edit by hand may resolve notes.
    if (edits > 0) reload();
  }, [edits]);
  const openCount = notes.filter(isOpenNote).length;
  const isPublish = task.type === 'publish' || task.type === 'restore';
  const isLeftOut = task.publication?.leftOutPages.includes(slug) ?? false;
  const isLive = task.publication?.livePages.includes(slug) ?? false;
  const liveUrl = isLive && change !== 'deleted' ? (publishedUrl ?? siteLiveUrl(site, slug)) : null;
  const frameProps = {
    caption: isPublish ? (liveUrl ? 'Live' : 'As it was published') : 'Preview',
    url: isPublish && liveUrl ? liveUrl : previewUrl,
  };
  return (
    <article class="card" aria-label={slug}>
      <div class="card-head">
        <div class="row">
          <h3 class="wrap">{slug}</h3>
          <span class={`tag ${change === 'deleted' ? 'bad' : ''}`}>{changeWords[change]}</span>
          {isLive && change !== 'deleted' && <span class="tag good">Live</span>}
          {task.publication && !isLive && (
            <span class="tag">{isLeftOut ? 'Left out' : 'Replaced since'}</span>
          )}
          {openCount > 0 && <span class="tag warn">{countNoun(openCount, 'note')}</span>}
          {externalId && <span class="muted small">{externalId}</span>}
        </div>
        <div class="row">
          {liveUrl && (
            <ButtonLink little href={liveUrl} icon="out">
              Live page
            </ButtonLink>
          )}
          {editUrl && (
            <ButtonLink little icon="pencil" href={editUrl} onClick={onEdit}>
              Edit
            </ButtonLink>
          )}
        </div>
      </div>
      <div class="card-body stack">
        {change !== 'deleted' && host?.type === 'own' && (
          <PreviewElsewhere {...frameProps} {...(!host.hasPreviews && { nothing: noPreviews })} />
        )}
        {change !== 'deleted' && host?.type === 'embedded' && (
          <div class={isPublish ? 'panes single' : 'panes'}>
            <PageFrame
              key={`${edits} ${round}`}
              {...frameProps}
              nothing="The preview no longer exists."
            />
            {!isPublish && <PageFrame {...comparisonFrame({ task, site, page, change })} />}
          </div>
        )}
        {notes.length > 0 && (
          <TaskNotes {...taskProps} notes={notes} editUrl={editUrl} onEdit={onEdit} />
        )}
      </div>
    </article>
  );
}

const noPreviews =
  'The site’s host does not create previews. You can see the page only after it is live.';

const siteLiveUrl = (site: SiteSummary | undefined, slug: string) =>
  site?.liveUrl ? livePageUrl(site.liveUrl, slug) : null;

/**
 * The page beside a preview, to compare them: the template, or the page as it was before. If the
 * task builds on another one that is not live, both come from that task's preview.
 */
function comparisonFrame({
  task,
  site,
  page,
  change,
}: Pick<ResultPageProps, 'task' | 'site' | 'page' | 'change'>) {
  const { base } = task;
  const slug = change === 'created' ? task.template : page.slug;
  const baseUrlOf = (pageSlug: string) =>
    base?.previewUrl ? livePageUrl(base.previewUrl, pageSlug) : null;
  const url = slug === undefined ? null : base ? baseUrlOf(slug) : siteLiveUrl(site, slug);
  const endedNotice = 'The preview of the task that this task builds on no longer exists.';
  if (change === 'modified')
    return base
      ? { caption: 'Before, not live yet', url, nothing: endedNotice }
      : { caption: 'Live now', url, nothing: 'The page is not live yet.' };
  const missingNotice = base ? endedNotice : 'The template is not live yet.';
  return {
    caption: slug ? `Template: ${slug}` : 'Template',
    url,
    nothing: slug ? missingNotice : 'The page was created without a template.',
  };
}
