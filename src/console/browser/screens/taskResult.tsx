import { path } from '../../../browser/path.ts';
import { useEffect } from 'preact/hooks';
import type {
  Note,
  OneSite,
  PageDiff,
  Site,
  SiteHost,
  Task,
  TaskOutput,
} from '../../../contract/answers.ts';
import type { Page } from '../../../contract/task.ts';
import { ButtonLink } from '../ui/controls.tsx';
import { EmptyCard, Notice } from '../ui/states.tsx';
import { count } from '../../../browser/counts.ts';
import { isOpen, mostUrgentFirst } from '../noteWords.ts';
import { liveAddress } from '../liveAddress.ts';
import { useAnswer } from '../useData.ts';
import { Notes } from './notes.tsx';
import { PullRequest } from './pullRequest.tsx';
import { Frame, PreviewElsewhere, useEdits, WidthToggle } from './pageFrame.tsx';

interface Shown {
  page: Page;
  change: PageDiff['change'];
}

interface ResultProps {
  task: Task;
  output: TaskOutput;
  site: Site | undefined;
  /** Reads the task again. */
  reload: () => void;
}

const embedded: SiteHost = { type: 'embedded' };

/** Shows what a task made: a card for each page, with its notes. */
export function Result({ task, output, site, reload }: ResultProps) {
  const lists: [Page[], Shown['change']][] = [
    [output.pagesCreated, 'created'],
    [output.pagesModified, 'modified'],
    [output.pagesDeleted, 'deleted'],
  ];
  const shown = lists.flatMap(([pages, change]) => pages.map((page): Shown => ({ page, change })));
  const notes = mostUrgentFirst(output.notes ?? []);
  const slugs = new Set(shown.map(({ page }) => page.slug));
  const open = notes.filter(isOpen).length;
  const told = useAnswer<OneSite>(path`/sites/${task.siteId}`);
  const host = told.error === undefined ? told.data?.host : embedded;
  const general = notes.filter(({ page }) => page === undefined || !slugs.has(page));
  return (
    <>
      {output.summary && <p class="lines">{output.summary}</p>}
      <PullRequest
        url={output.pullRequestUrl ?? undefined}
        host={host}
        what="The changes"
        isLive={task.publication !== null}
      />
      {general.length > 0 && <General task={task} reload={reload} notes={general} />}
      {shown.length === 0 ? (
        <EmptyCard icon="check" title="Nothing had to change">
          The pages said so already.
        </EmptyCard>
      ) : (
        <div class="row spread">
          <h2>
            {count(shown.length, 'page')}
            {open > 0 && <span class="muted"> · {count(open, 'thing')} to check</span>}
            {open === 0 && notes.length > 0 && <span class="muted"> · all checked</span>}
          </h2>
          {host?.type === 'embedded' && <WidthToggle />}
        </div>
      )}
      {shown.map(({ page, change }) => (
        <PageCard
          key={page.slug}
          task={task}
          site={site}
          page={page}
          change={change}
          host={host}
          reload={reload}
          notes={notes.filter((note) => note.page === page.slug)}
        />
      ))}
    </>
  );
}

const General = (props: Parameters<typeof Notes>[0]) =>
  props.notes.some(isOpen) ? (
    <Notice kind="warn">
      <div class="stack tight">
        <Notes {...props} />
      </div>
    </Notice>
  ) : (
    <Notes {...props} />
  );

const changes = { created: 'New', modified: 'Changed', deleted: 'Deleted' };

interface PageCardProps extends Shown, Pick<ResultProps, 'task' | 'site' | 'reload'> {
  notes: Note[];
  /** What serves the site. undefined while that is not known. */
  host: SiteHost | undefined;
}

function PageCard({ task, site, page, change, notes, host, reload }: PageCardProps) {
  const { slug, previewUrl, editUrl, publishedUrl, externalId } = page;
  const { edits, onEdit } = useEdits();
  useEffect(() => {
    // An edit by hand may settle notes.
    if (edits > 0) reload();
  }, [edits]);
  const open = notes.filter(isOpen).length;
  const isPublish = task.type === 'publish' || task.type === 'restore';
  const isLive = task.publication?.livePages.includes(slug) ?? false;
  const liveUrl = isLive && change !== 'deleted' ? (publishedUrl ?? liveUrlOf(site, slug)) : null;
  const shown = {
    caption: isPublish ? (liveUrl ? 'Live' : 'As it was published') : 'Preview',
    url: isPublish && liveUrl ? liveUrl : previewUrl,
  };
  return (
    <article class="card" aria-label={slug}>
      <div class="card-head">
        <div class="row">
          <h3 class="wrap">{slug}</h3>
          <span class={`tag ${change === 'deleted' ? 'bad' : ''}`}>{changes[change]}</span>
          {isLive && change !== 'deleted' && <span class="tag good">Live</span>}
          {task.publication && !isLive && <span class="tag">Replaced since</span>}
          {open > 0 && <span class="tag warn">{count(open, 'note')}</span>}
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
          <PreviewElsewhere {...shown} {...(!host.hasPreviews && { nothing: noPreviews })} />
        )}
        {change !== 'deleted' && host?.type === 'embedded' && (
          <div class={isPublish ? 'panes single' : 'panes'}>
            <Frame key={edits} {...shown} nothing="The preview has ended." />
            {!isPublish && <Frame {...besideOf({ task, site, page, change })} />}
          </div>
        )}
        {notes.length > 0 && (
          <Notes task={task} notes={notes} editUrl={editUrl} onEdit={onEdit} reload={reload} />
        )}
      </div>
    </article>
  );
}

const noPreviews = 'The site’s own host makes no previews: the page is only seen once it is live.';

const liveUrlOf = (site: Site | undefined, slug: string) =>
  site?.liveUrl ? liveAddress(site.liveUrl, slug) : null;

/**
 * What a preview is compared with: the template, or the page as it was before. If the task is built
 * on another one that is not live, both come from that task's preview.
 */
function besideOf({
  task,
  site,
  page,
  change,
}: Pick<PageCardProps, 'task' | 'site' | 'page' | 'change'>) {
  const { base } = task;
  const slug = change === 'created' ? task.template : page.slug;
  const addressOf = (of: string) => (base?.previewUrl ? liveAddress(base.previewUrl, of) : null);
  const url = slug === undefined ? null : base ? addressOf(slug) : liveUrlOf(site, slug);
  const ended = 'The preview of the task that this one is built on has ended.';
  if (change === 'modified')
    return base
      ? { caption: 'Before, not live yet', url, nothing: ended }
      : { caption: 'Live now', url, nothing: 'The page is not live yet.' };
  const notThere = base ? ended : 'The template is not live yet.';
  return {
    caption: slug ? `Template: ${slug}` : 'Template',
    url,
    nothing: slug ? notThere : 'The page was made without a template.',
  };
}
