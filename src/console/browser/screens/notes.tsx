import { path } from '../../../browser/path.ts';
import { settledWords } from '../../../browser/stateWords.ts';
import { useState } from 'preact/hooks';
import { api, post } from '../client/api.ts';
import type { Note, Started, Task } from '../../../contract/answers.ts';
import type { SaidState } from '../../../contract/noteStates.ts';
import { forgetData } from '../useData.ts';
import { count } from '../../../browser/counts.ts';
import { isDroppable, isOpen, sameFact, withoutSlug } from '../noteWords.ts';
import { navigate } from '../router.ts';
import { Button, ButtonLink, type Choice, SelectField } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icons.tsx';

/** The number of notes that are shown at first. More of them would hide the page below. */
const FIRST_NOTES = 4;

interface NotesProps {
  task: Task;
  notes: Note[];
  /** Where the page with these notes is edited. */
  editUrl?: string | null;
  onEdit?: (() => void) | undefined;
  /** Reads the task again. */
  reload: () => void;
}

/** Lists what a person should check, and how notes were settled. */
export function Notes({ notes, ...props }: NotesProps) {
  const [dropped, setDropped] = useState<Note>();
  const [isWhole, setWhole] = useState(false);
  const open = notes.filter(isOpen);
  const settled = notes.filter((note) => !isOpen(note));
  const shown = isWhole ? open : open.slice(0, FIRST_NOTES);
  return (
    <>
      {open.length > 0 && (
        <ul class="notes" aria-label="Notes">
          {shown.map((note) => (
            <OpenNote key={note.id} note={note} {...props} onDrop={() => setDropped(note)} />
          ))}
        </ul>
      )}
      {shown.length < open.length && (
        <div>
          <Button little onClick={() => setWhole(true)}>
            Show all {open.length} notes
          </Button>
        </div>
      )}
      {open.length > 1 && <SettleAll notes={open} {...props} />}
      {settled.length > 0 && (
        <details class="settled">
          <summary>{count(settled.length, 'settled note')}</summary>
          <ul class="notes" aria-label="Settled notes">
            {settled.map((note) => (
              <SettledNote key={note.id} note={note} {...props} />
            ))}
          </ul>
        </details>
      )}
      {dropped && (
        <DropDialog task={props.task} note={dropped} close={() => setDropped(undefined)} />
      )}
    </>
  );
}

type OneNote = Omit<NotesProps, 'notes'> & { note: Note };

function OpenNote({ note, editUrl, onEdit, onDrop, ...of }: OneNote & { onDrop: () => void }) {
  const words = withoutSlug(note);
  const settle = (state: SaidState) => () => settleNotes(of, [note], state);
  return (
    <li>
      <Icon name="alert" size={16} />
      <span>{words}</span>
      <div class="row">
        {editUrl && (
          <ButtonLink little href={editUrl} onClick={onEdit} label={`Edit: ${words}`}>
            Edit
          </ButtonLink>
        )}
        {isDroppable(note) && (
          <Button little onClick={onDrop} label={`Drop: ${words}`}>
            Drop
          </Button>
        )}
        <Button little onClick={settle('kept')} label={`Keep: ${words}`}>
          Keep
        </Button>
        <Button little onClick={settle('done')} label={`Done: ${words}`}>
          Done
        </Button>
      </div>
    </li>
  );
}

const SettleAll = ({ notes, ...of }: NotesProps) => (
  <div class="row">
    <Button little onClick={() => settleNotes(of, notes, 'kept')}>
      Keep all {notes.length}
    </Button>
    <Button little onClick={() => settleNotes(of, notes, 'done')}>
      All {notes.length} are done
    </Button>
  </div>
);

const SettledNote = ({ note, ...of }: OneNote) => (
  <li>
    <Icon name="check" size={16} />
    <span>
      {withoutSlug(note)} <span class="muted">{settledWords(note.state, note.by?.name)}</span>{' '}
      {note.droppedIn && <a href={`/tasks/${note.droppedIn}`}>in another task</a>}
    </span>
    <Button
      little
      onClick={() => settleNotes(of, [note], 'open')}
      label={`Open again: ${withoutSlug(note)}`}
    >
      Open again
    </Button>
  </li>
);

/** Settles notes. Reading the task again then takes them out of the list of open notes. */
async function settleNotes(
  { task, reload }: Pick<NotesProps, 'task' | 'reload'>,
  notes: Note[],
  state: SaidState,
): Promise<void> {
  const button = document.activeElement;
  await api(path`/agent/tasks/${task.taskId}/notes`, {
    method: 'PATCH',
    body: { state, notes: notes.map(({ id }) => id) },
  });
  if (button && button === document.activeElement) focusBeside(button);
  reload();
}

/**
 * Moves the focus away from a button that is about to disappear: to the same button of the next or
 * previous note, else to the heading above.
 */
function focusBeside(button: Element): void {
  const note = button.closest<HTMLElement>('.notes > li');
  const all = [
    ...(note?.parentElement?.querySelectorAll<HTMLElement>(':scope > li:not([inert])') ?? []),
  ];
  const at = note ? all.indexOf(note) : -1;
  const beside = all[at + 1] ?? all[at - 1];
  // The note must not get the focus before the next answer removes it.
  if (note) note.inert = true;
  const [name] = (button.ariaLabel ?? '').split(':');
  const next = beside?.querySelector<HTMLElement>(`button[aria-label^="${name}:"]`);
  if (next) return next.focus();
  const heading = button.closest('article')?.querySelector('h3') ?? document.querySelector('h1');
  if (!heading) return;
  // With -1, scripts can focus the heading, and the Tab key skips it.
  heading.tabIndex = -1;
  heading.focus();
}

type Where = 'page' | 'task';

/** Asks from which pages to take out what a note is about: its own, or all that say the same. */
function DropDialog({ task, note, close }: { task: Task; note: Note; close: () => void }) {
  const [where, setWhere] = useState<Where>('page');
  const same = (task.output?.notes ?? []).filter((other) => isOpen(other) && sameFact(note, other));
  const pages = new Set(same.map(({ page }) => page)).size;
  const choices: Choice<Where>[] = [['page', `This page: ${note.page}`]];
  if (pages > 1) choices.push(['task', `All ${pages} pages of this task that say it`]);
  const start = async () => {
    const notes = where === 'task' ? same : [note];
    const { taskId } = await post<Started>(path`/agent/tasks/${task.taskId}/notes/drop`, {
      notes: notes.map(({ id }) => id),
    });
    close();
    forgetData();
    navigate(`/tasks/${taskId}`);
  };
  return (
    <Dialog title="Take it out?" submit="Drop" onClose={close} onSubmit={start}>
      <p>{withoutSlug(note)}</p>
      <p class="muted">
        A new task takes it out, with what says nothing else. Publishing that task publishes the
        pages without it.
      </p>
      {choices.length > 1 && (
        <SelectField label="Where" value={where} onChange={setWhere} choices={choices} />
      )}
    </Dialog>
  );
}
