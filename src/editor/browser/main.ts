// The program of the editor's page. It connects the framed page, the list of texts, the source and
// saving:
//
// - `edits.ts` keeps what was typed and is not saved yet. It is the only state that can be lost.
// - `frame.ts` talks to the framed page. `framed.ts` runs inside of it and makes its texts
//   editable.
// - `fields.ts` and `labels.ts` list all texts, also those that the page does not show.
// - `notes.ts` lists what a person should check. `status.ts` says what can be saved and published.
// - `api.ts` sends the requests. `conflict.tsx` lets a person choose if somebody else saved first.
// - `gate.ts` is shown to people who may not edit the page.
//
// For example, a person types into a heading. The frame reports
// `{ type: 'edit', id: 's12', texts: ['Web design in Porto'] }`, `edits` keeps the text, the field
// in the list shows it too, and a save sends `{ digest, texts: { s12: ['Web design in Porto'] } }`.

import { publishedLabels } from '../../browser/stateLabels.ts';
import type { SettableNoteState } from '../../contract/notes/noteStates.ts';
import type { EditableText, OfferedPage, PageState } from '../protocol.ts';
import {
  editedPage,
  checkPublish,
  isLocked,
  isOutdated,
  fetchPage,
  openSession,
  pageUrl,
  publishEdits,
  savePage,
  resolvePageNotes,
} from './api.ts';
import { isEditorDialogOpen } from './dialogs.tsx';
import { pairTypedTexts, chooseSource, chooseTexts } from './conflict.tsx';
import { mayDiscard, mayGoLive } from './questions.tsx';
import { elements, createElement, viewButtons } from './dom.ts';
import { createEdits } from './edits.ts';
import { createFields } from './fields.ts';
import { createFrame } from './frame.ts';
import { showGate } from './gate.ts';
import { textareaValue } from './lineEnds.ts';
import { groupOf } from './labels.ts';
import { listNotes, type OfferedNote } from './notes.ts';
import { notify, notifyError } from './notice.ts';
import { type EditorProgress, showStatus } from './status.ts';

/**
 * In windows narrower than this, in CSS pixels, page and texts are shown one at a time. editor.css
 * has the same limit.
 */
const NARROW_WIDTH = 860;

const progress: EditorProgress = { isSaving: false, isPublishing: false, hasSaved: false };
let editableIds = new Set<string>();
const edits = createEdits(showState);

const frame = createFrame(elements.frame, {
  texts: (digest) => (digest === edits.page.digest ? edits.page.texts : reopenPage()),
  editable(ids) {
    editableIds = ids;
    listTexts();
    for (const [{ id }] of edits.texts) frame.set(edits.typed(id));
  },
  edit(id, texts) {
    if (edits.mode === 'source' || !edits.setTexts(id, texts)) return;
    fields.set(edits.typed(id));
    frame.mark(edits.typed(id));
  },
  save: () => void saveEdits(),
  leave: () => (elements.save.disabled ? elements.pages : elements.save).focus(),
});

const fields = createFields(elements.fields, {
  edit(id, texts) {
    if (!edits.setTexts(id, texts)) return;
    fields.set(edits.typed(id));
    frame.set(edits.typed(id));
  },
  show: showOnPage,
});

function showOnPage(id: string) {
  showView('page');
  frame.focus(id);
}

const listTexts = () => fields.list(edits.page.texts, editableIds, (id) => edits.typed(id).texts);

function showText(text: EditableText) {
  if (editableIds.has(text.id)) showOnPage(text.id);
  else {
    if (document.body.dataset['view'] !== 'page' || innerWidth < NARROW_WIDTH) showView('texts');
    fields.focus(groupOf(text), text.id);
  }
}

function showState() {
  showStatus(edits, progress);
}

/** Runs work that saves or publishes. Shows that it is under way, and why it fails if it does. */
async function runWork(flag: 'isSaving' | 'isPublishing', work: () => Promise<unknown>) {
  progress[flag] = true;
  showState();
  await work().catch(notifyError);
  progress[flag] = false;
  showState();
}

/** Shows a page as the service has it now. */
function showPage(page: OfferedPage) {
  edits.begin(page);
  document.title = `Edit ${page.slug}`;
  elements.pages.replaceChildren(
    ...page.pages.map((slug) =>
      createElement('option', { value: slug, selected: slug === page.slug }, slug),
    ),
  );
  elements.preview.hidden = page.previewUrl === null;
  if (page.previewUrl !== null) elements.preview.href = page.previewUrl;
  showPageDetails(page);
  showSource(page.source);
  listTexts();
  frame.load();
  document.body.dataset['phase'] = 'ready';
}

const pageStateWords: Record<PageState, string> = { draft: 'Draft', ...publishedLabels };

/**
 * Shows what a page has beside its texts: its state, its notes, and suggestions for links and
 * images.
 */
function showPageDetails(page: OfferedPage) {
  const { published, offeredPages, offeredImages } = elements;
  published.hidden = false;
  published.textContent = pageStateWords[page.state];
  published.dataset['state'] = page.state;
  showNotes(page);
  const createOption = (value: string) => createElement('option', { value });
  offeredPages.replaceChildren(...page.offers.pages.map(createOption));
  offeredImages.replaceChildren(...page.offers.images.map(createOption));
}

/**
 * Called when the frame shows a later version than the editor has. Opens that version if nothing
 * was typed.
 */
function reopenPage() {
  if (edits.mode === 'none') void fetchPage().then(showPage).catch(notifyError);
  else
    notify(
      'The page was changed in the meantime. Save to see what changed. What you typed is kept.',
    );
  return null;
}

/** Shows the source with the caret at its beginning. */
function showSource(source: string) {
  elements.code.value = textareaValue(source);
  elements.code.setSelectionRange(0, 0);
}

/** Says where the first edit of a page of the site is now. Later saves say nothing. */
function announceTask(isFirstSave: boolean) {
  if (isFirstSave)
    notify('Saved as a new task. The live page stays as it is until the task is published.');
}

async function saveEdits() {
  if (progress.isSaving || edits.mode === 'none' || isEditorDialogOpen()) return;
  const wasSitePage = edits.page.taskId === undefined;
  await runWork('isSaving', () =>
    savePage(edits.change())
      .then((page) => {
        showSavedPage(page);
        announceTask(wasSitePage && page.taskId !== undefined);
      })
      .catch((error: unknown) => {
        if (!isOutdated(error)) throw error;
        return resolveConflict();
      }),
  );
}

const showNotes = (page: OfferedPage) =>
  listNotes(page, { show: showText, settle: resolveNote, drop: (note) => void dropNote(note) });

function resolveNote(note: OfferedNote, state: SettableNoteState) {
  resolvePageNotes([note.id], state)
    .then(({ notes }) => {
      edits.page.notes = notes;
      showNotes(edits.page);
    })
    .catch(notifyError);
}

/** Removes what a note is about from the page. Asks to save or discard unsaved edits first. */
async function dropNote(note: OfferedNote) {
  if (progress.isSaving || progress.isPublishing) return;
  if (edits.mode !== 'none') return notify('First save or discard what you typed.');
  await runWork('isSaving', async () => {
    const page = await savePage({ digest: edits.page.digest, drop: [note.id] });
    progress.hasSaved = true;
    if (edits.mode === 'none') showPage(page);
    else
      notify(
        'The fact was removed. What you typed in the meantime is still here. Save it to see both changes.',
      );
  });
}

const publishPage = () =>
  runWork('isPublishing', async () => {
    if (!(await mayGoLive(await checkPublish()))) return;
    await publishEdits((reason) => notify(`Waiting for ${reason}. You can close this page.`));
    const page = await fetchPage();
    if (edits.mode === 'none') showPage(page);
    const isLive = page.state === 'live';
    notify(
      isLive ? `${page.slug} is live.` : `${page.slug} is not live. Open its task to see why.`,
    );
  });

const shapeOf = (texts: EditableText[]) =>
  texts.map(({ id, marks }) => `${id} ${marks.join()}`).join();

/**
 * The frame already shows what was typed. It loads again only after an edit of the source, or if
 * the page's texts have other elements now.
 */
function showSavedPage(page: OfferedPage) {
  const changedIds = edits.texts.map(([{ id }]) => id);
  if (edits.mode !== 'texts' || shapeOf(page.texts) !== shapeOf(edits.page.texts)) showPage(page);
  else {
    edits.begin(page);
    showPageDetails(page);
    showSource(page.source);
    for (const id of changedIds) {
      frame.set(edits.typed(id));
      fields.set(edits.typed(id));
    }
  }
  progress.hasSaved = true;
  notify('');
}

/**
 * Called when somebody else saved the page first. Discards nothing that was typed until its author
 * decides.
 */
async function resolveConflict() {
  const page = await fetchPage();
  const { mode, source, texts } = edits;
  const pairs = pairTypedTexts(texts, page);
  const choice = await (mode === 'source' ? chooseSource(source, page.source) : chooseTexts(pairs));
  if (choice === 'later')
    return notify(
      'Not saved, because the page was changed in the meantime. Save again to choose a version.',
    );
  showPage(page);
  if (choice === 'theirs') return notify('This is the page as it is now.');
  if (mode === 'source') {
    edits.setSource(textareaValue(source));
    showSource(source);
  }
  for (const { text, mine, theirs } of pairs) if (theirs) edits.setTexts(text.id, mine);
  listTexts();
  notify('Your changes were applied to the page as it is now, and are not saved yet.');
}

/** @param view `page`, `texts` or `source`; '' for none */
function showView(view = '') {
  document.body.dataset['view'] = view;
  for (const button of viewButtons) button.ariaPressed = String(button.dataset['shows'] === view);
  if (view === 'source') elements.code.focus();
}

async function discardEdits() {
  if (await mayDiscard()) showPage(edits.page);
}

function addListeners() {
  const { code, pages } = elements;
  elements.save.onclick = () => void saveEdits();
  elements.publish.onclick = () => void publishPage();
  elements.discard.onclick = () => void discardEdits();
  elements.noticeClose.onclick = () => notify('');
  code.oninput = () => edits.setSource(code.value);
  for (const button of viewButtons) button.onclick = () => showView(button.dataset['shows']);
  pages.onchange = () => {
    const slug = pages.value;
    pages.value = edits.page.slug;
    location.href = pageUrl(slug);
  };
  addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    void saveEdits();
  });
  addEventListener('beforeunload', (event) => {
    if (edits.mode !== 'none') event.preventDefault();
  });
}

/** Reads the key of an edit link, and removes it from the URL before anything else happens. */
function takeKey() {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (location.hash) history.replaceState(null, '', location.pathname);
  return key;
}

/**
 * Opens a session with the link's key. A refused key is ignored, because an earlier session may
 * still be open.
 */
async function openLinkSession(key: string) {
  await openSession(key).catch((error: unknown) => {
    if (!isLocked(error)) throw error;
  });
}

async function startEditor() {
  const key = takeKey();
  try {
    if (key) await openLinkSession(key);
    showPage(await fetchPage());
    addListeners();
  } catch (error) {
    showGate(error, { ...editedPage, hadKey: key !== null });
  }
}

await startEditor();
