// Connects the parts of the editor: the framed page, the list of texts, the source, and saving.

import { publishedWords } from '../../browser/stateWords.ts';
import type { SaidState } from '../../contract/noteStates.ts';
import type { EditableText, OfferedPage, PageState } from '../protocol.ts';
import {
  address,
  checkPublish,
  isLocked,
  isOutdated,
  openPage,
  openSession,
  pageUrl,
  publish,
  savePage,
  settleNotes,
} from './api.ts';
import { isAsking } from './ask.tsx';
import { compare, decideSource, decideTexts } from './conflict.tsx';
import { mayDiscard, mayGoLive } from './questions.tsx';
import { elements, make, viewButtons } from './dom.ts';
import { createEdits } from './edits.ts';
import { createFields } from './fields.ts';
import { createFrame } from './frame.ts';
import { showGate } from './gate.ts';
import { forTextarea } from './lineEnds.ts';
import { groupOf } from './labels.ts';
import { listNotes, type Note } from './notes.ts';
import { notify, tell } from './notice.ts';
import { type Progress, showStatus } from './status.ts';

/**
 * In windows narrower than this, in CSS pixels, page and texts are shown one at a time. editor.css
 * has the same limit.
 */
const NARROW = 860;

const progress: Progress = { isSaving: false, isPublishing: false, hasSaved: false };
let inPlace = new Set<string>();
const edits = createEdits(showState);

const frame = createFrame(elements.frame, {
  texts: (digest) => (digest === edits.page.digest ? edits.page.texts : renew()),
  editable(ids) {
    inPlace = ids;
    listTexts();
    for (const [{ id }] of edits.texts) frame.set(edits.typed(id));
  },
  edit(id, texts) {
    if (edits.mode === 'source' || !edits.setTexts(id, texts)) return;
    fields.set(edits.typed(id));
    frame.mark(edits.typed(id));
  },
  save: () => void save(),
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

const listTexts = () => fields.list(edits.page.texts, inPlace, (id) => edits.typed(id).texts);

function showText(text: EditableText) {
  if (inPlace.has(text.id)) showOnPage(text.id);
  else {
    if (document.body.dataset['view'] !== 'page' || innerWidth < NARROW) showView('texts');
    fields.focus(groupOf(text), text.id);
  }
}

function showState() {
  showStatus(edits, progress);
}

/** Runs work that saves or publishes. Shows that it is under way, and why it fails. */
async function during(doing: 'isSaving' | 'isPublishing', work: () => Promise<unknown>) {
  progress[doing] = true;
  showState();
  await work().catch(tell);
  progress[doing] = false;
  showState();
}

/** Shows a page as the service has it now. */
function show(page: OfferedPage) {
  edits.begin(page);
  document.title = `Edit ${page.slug}`;
  elements.pages.replaceChildren(
    ...page.pages.map((slug) =>
      make('option', { value: slug, selected: slug === page.slug }, slug),
    ),
  );
  elements.preview.hidden = page.previewUrl === null;
  if (page.previewUrl !== null) elements.preview.href = page.previewUrl;
  showWhatIsThere(page);
  showSource(page.source);
  listTexts();
  frame.load();
  document.body.dataset['phase'] = 'ready';
}

const states: Record<PageState, string> = { draft: 'Draft', ...publishedWords };

/**
 * Shows what a page has beside its texts: its state, its notes, and suggestions for links and
 * images.
 */
function showWhatIsThere(page: OfferedPage) {
  const { published, offeredPages, offeredImages } = elements;
  published.hidden = false;
  published.textContent = states[page.state];
  published.dataset['state'] = page.state;
  showNotes(page);
  const option = (value: string) => make('option', { value });
  offeredPages.replaceChildren(...page.offers.pages.map(option));
  offeredImages.replaceChildren(...page.offers.images.map(option));
}

/**
 * Called when the frame shows a later version than the editor has. Opens that version if nothing
 * was typed.
 */
function renew() {
  if (edits.mode === 'none') void openPage().then(show).catch(tell);
  else notify('The page was changed meanwhile. Save to see what changed; what you typed is kept.');
  return null;
}

/** Shows the source with the caret at its beginning. */
function showSource(source: string) {
  elements.code.value = forTextarea(source);
  elements.code.setSelectionRange(0, 0);
}

async function save() {
  if (progress.isSaving || edits.mode === 'none' || isAsking()) return;
  await during('isSaving', () =>
    savePage(edits.change())
      .then(saved)
      .catch((error: unknown) => {
        if (!isOutdated(error)) throw error;
        return settle();
      }),
  );
}

const showNotes = (page: OfferedPage) =>
  listNotes(page, { show: showText, settle: settleNote, drop: (note) => void dropNote(note) });

function settleNote(note: Note, state: SaidState) {
  settleNotes([note.id], state)
    .then(({ notes }) => {
      edits.page.notes = notes;
      showNotes(edits.page);
    })
    .catch(tell);
}

/** Takes out what a note is about. Refuses while there are unsaved edits. */
async function dropNote(note: Note) {
  if (progress.isSaving || progress.isPublishing) return;
  if (edits.mode !== 'none') return notify('Save or discard what you typed first.');
  await during('isSaving', async () => {
    const page = await savePage({ digest: edits.page.digest, drop: [note.id] });
    progress.hasSaved = true;
    if (edits.mode === 'none') show(page);
    else notify('It is taken out. What you typed meanwhile is still here: save it to see both.');
  });
}

const goLive = () =>
  during('isPublishing', async () => {
    if (!(await mayGoLive(await checkPublish()))) return;
    await publish((what) => notify(`Waiting for ${what}. You can close this page.`));
    const page = await openPage();
    if (edits.mode === 'none') show(page);
    const isLive = page.state === 'live';
    notify(isLive ? `${page.slug} is live.` : `${page.slug} is not live. Its task says why.`);
  });

const shapeOf = (texts: EditableText[]) =>
  texts.map(({ id, marks }) => `${id} ${marks.join()}`).join();

/**
 * The frame already shows what was typed. It loads again only after an edit of the source, or if
 * the page's texts have other elements now.
 */
function saved(page: OfferedPage) {
  const changed = edits.texts.map(([{ id }]) => id);
  if (edits.mode !== 'texts' || shapeOf(page.texts) !== shapeOf(edits.page.texts)) show(page);
  else {
    edits.begin(page);
    showWhatIsThere(page);
    showSource(page.source);
    for (const id of changed) {
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
async function settle() {
  const page = await openPage();
  const { mode, source, texts } = edits;
  const pairs = compare(texts, page);
  const choice = await (mode === 'source' ? decideSource(source, page.source) : decideTexts(pairs));
  if (choice === 'later')
    return notify('Not saved: the page was changed meanwhile. Save again to decide.');
  show(page);
  if (choice === 'theirs') return notify('This is the page as it is now.');
  if (mode === 'source') {
    edits.setSource(forTextarea(source));
    showSource(source);
  }
  for (const { text, mine, theirs } of pairs) if (theirs) edits.setTexts(text.id, mine);
  listTexts();
  notify('Your changes stand on top of the page as it is now, and are not saved yet.');
}

/** @param view `page`, `texts` or `source`; '' for none */
function showView(view = '') {
  document.body.dataset['view'] = view;
  for (const button of viewButtons) button.ariaPressed = String(button.dataset['shows'] === view);
  if (view === 'source') elements.code.focus();
}

async function discard() {
  if (await mayDiscard()) show(edits.page);
}

function listen() {
  const { code, pages } = elements;
  elements.save.onclick = () => void save();
  elements.publish.onclick = () => void goLive();
  elements.discard.onclick = () => void discard();
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
    void save();
  });
  addEventListener('beforeunload', (event) => {
    if (edits.mode !== 'none') event.preventDefault();
  });
}

/** Removes the link's key from the address before anything else happens. */
function takeKey() {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (location.hash) history.replaceState(null, '', location.pathname);
  return key;
}

/**
 * Opens a session with the link's key. A refused key is ignored, because an earlier session may
 * still be open.
 */
async function enter(key: string) {
  await openSession(key).catch((error: unknown) => {
    if (!isLocked(error)) throw error;
  });
}

async function begin() {
  const key = takeKey();
  try {
    if (key) await enter(key);
    show(await openPage());
    listen();
  } catch (error) {
    showGate(error, { ...address, hadKey: key !== null });
  }
}

await begin();
