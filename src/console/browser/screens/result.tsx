import { useState } from 'preact/hooks';
import type { Note, Page, Site, Task } from '../client/types.ts';
import { Button, ButtonLink } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { Empty, Notice } from '../ui/states.tsx';
import { count, noteWords } from '../names.ts';
import { liveAddress } from '../words.ts';
import { FollowUp } from './followUp.tsx';
import { Frame, useEdits, type Width, WidthToggle } from './frames.tsx';

interface Shown {
  page: Page;
  change: 'created' | 'modified' | 'deleted';
}

interface ResultProps {
  task: Task;
  site: Site | undefined;
  width: Width;
  onWidth: (width: Width) => void;
}

/** What a task made: a card a page, and its notes. */
export function Result({ task, site, width, onWidth }: ResultProps) {
  const { output } = task;
  if (!output) return null;
  const shown: Shown[] = [
    ...output.pagesCreated.map((page): Shown => ({ page, change: 'created' })),
    ...output.pagesModified.map((page): Shown => ({ page, change: 'modified' })),
    ...output.pagesDeleted.map((page): Shown => ({ page, change: 'deleted' })),
  ];
  const notes = mostUrgentFirst(output.notes ?? []);
  const slugs = new Set(shown.map(({ page }) => page.slug));
  const general = notes.filter(({ page }) => page === undefined || !slugs.has(page));
  return (
    <>
      {output.summary && <p>{output.summary}</p>}
      {general.length > 0 && <General notes={general} />}
      {shown.length === 0 ? (
        <div class="card">
          <Empty icon="check" title="Nothing had to change">
            The pages said so already.
          </Empty>
        </div>
      ) : (
        <div class="row spread">
          <h2>
            {count(shown.length, 'page')}
            {notes.length > 0 && <span class="muted"> · {count(notes.length, 'thing')} to check</span>}
          </h2>
          <WidthToggle width={width} onWidth={onWidth} />
        </div>
      )}
      {shown.map(({ page, change }) => (
        <PageCard
          key={page.slug}
          {...{ task, site, page, change, width }}
          notes={notes.filter((note) => note.page === page.slug)}
        />
      ))}
    </>
  );
}

const General = ({ notes }: { notes: Note[] }) => (
  <Notice kind="warn" icon="alert">
    {notes.map(({ text }) => (
      <p key={text}>{noteWords(text)}</p>
    ))}
  </Notice>
);

const changes = { created: 'New', modified: 'Changed', deleted: 'Deleted' };

interface PageCardProps extends Shown, Pick<ResultProps, 'task' | 'site' | 'width'> {
  notes: Note[];
}

function PageCard({ task, site, page, change, width, notes }: PageCardProps) {
  const { slug, previewUrl, editUrl, publishedUrl, externalId } = page;
  const { edits, onEdit } = useEdits();
  const isPublish = task.type === 'publish' || task.type === 'restore';
  return (
    <article class="card" aria-label={slug}>
      <div class="card-head">
        <div class="row">
          <h3 class="wrap">{slug}</h3>
          <span class={`tag ${change === 'deleted' ? 'bad' : ''}`}>{changes[change]}</span>
          {publishedUrl && <span class="tag good">Live</span>}
          {notes.length > 0 && <span class="tag warn">{count(notes.length, 'note')}</span>}
          {externalId && <span class="muted small">{externalId}</span>}
        </div>
        <div class="row">
          {publishedUrl && (
            <ButtonLink little href={publishedUrl} icon="out">
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
        {change !== 'deleted' && (
          <div class={isPublish ? 'panes single' : 'panes'}>
            <Frame
              key={edits}
              caption={isPublish && publishedUrl ? 'Live' : 'Preview'}
              url={isPublish && publishedUrl ? publishedUrl : previewUrl}
              width={width}
              nothing="The preview has ended."
            />
            {!isPublish && <Frame {...besideOf({ task, site, page, change })} width={width} />}
          </div>
        )}
        {notes.length > 0 && <Notes task={task} notes={notes} editUrl={editUrl} onEdit={onEdit} />}
      </div>
    </article>
  );
}

/** What a preview is compared with: the template, or the page as it is live. */
function besideOf({ task, site, page, change }: Pick<PageCardProps, 'task' | 'site' | 'page' | 'change'>) {
  const slug = change === 'created' ? task.template : page.slug;
  const url = site?.liveUrl && slug ? liveAddress(site.liveUrl, slug) : null;
  if (change === 'modified') return { caption: 'Live now', url, nothing: 'The page is not live yet.' };
  return {
    caption: slug ? `Template: ${slug}` : 'Template',
    url,
    nothing: slug ? 'The template is not live yet.' : 'The page was made without a template.',
  };
}

/** More of them would hide the page below. */
const FIRST_NOTES = 4;

interface NotesProps {
  task: Task;
  notes: Note[];
  editUrl: string | null;
  onEdit: () => void;
}

/** What a person should check of a page. */
function Notes({ task, notes, editUrl, onEdit }: NotesProps) {
  const [dropped, setDropped] = useState<Note>();
  const [isWhole, setWhole] = useState(notes.length <= FIRST_NOTES);
  return (
    <>
      <ul class="notes" aria-label="Notes">
        {notes.slice(0, isWhole ? undefined : FIRST_NOTES).map((note) => (
          <li key={note.text}>
            <Icon name="alert" size={16} />
            <span>{withoutSlug(note)}</span>
            <div class="row">
              {editUrl && (
                <ButtonLink little href={editUrl} onClick={onEdit} label={`Edit: ${withoutSlug(note)}`}>
                  Edit
                </ButtonLink>
              )}
              {note.value && task.siteId && isDroppable(note) && (
                <Button little onClick={() => setDropped(note)} label={`Drop: ${withoutSlug(note)}`}>
                  Drop
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {!isWhole && (
        <div>
          <Button little onClick={() => setWhole(true)}>
            Show all {notes.length} notes
          </Button>
        </div>
      )}
      {dropped && (
        <FollowUp
          task={task}
          prompt={`Remove "${dropped.value}" from ${dropped.page}`}
          close={() => setDropped(undefined)}
        />
      )}
    </>
  );
}

function withoutSlug({ page, text: said }: Note): string {
  const text = noteWords(said);
  const start = `${page}: `;
  if (page === undefined || !text.startsWith(start)) return text;
  return text.charAt(start.length).toUpperCase() + text.slice(start.length + 1);
}

/** What an agent may have done that nobody asked for. */
const urgent = ['host', 'contact', 'deleted', 'moved'];
const isUrgent = ({ kind }: Note) => urgent.includes(kind);

/** A page's first notes are shown at once, and the others when asked for. */
const mostUrgentFirst = (notes: Note[]) => [...notes.filter(isUrgent), ...notes.filter((note) => !isUrgent(note))];

/** Notes on a text that stands on the page. */
const isDroppable = (note: Note) =>
  !isUrgent(note) && !['unused', 'link', 'list', 'structured-data', 'map'].includes(note.kind);
