// Brings the parts together: the framed page, the list of texts, the source, and saving.

import { address, openPage, openSession, pageUrl, savePage } from './api.js';
import { compare, decideSource, decideTexts } from './conflict.js';
import { at, make } from './dom.js';
import { createEdits } from './edits.js';
import { createFields } from './fields.js';
import { createFrame } from './frame.js';
import { showGate } from './gate.js';
import { forTextarea } from './lineEnds.js';

const { body } = document;
let isSaving = false;
let hasSaved = false;
let inPlace = new Set();
const edits = createEdits(showState);

const frame = createFrame(at('frame'), {
  texts: (digest) => (digest === edits.page.digest ? edits.page.texts : renew()),
  editable(ids) {
    inPlace = ids;
    listTexts();
    for (const [{ id }, texts] of edits.texts) frame.set(id, texts, true);
  },
  edit(id, texts) {
    if (edits.mode === 'source' || !edits.setTexts(id, texts)) return;
    fields.set(id, texts, edits.isChanged(id));
    frame.mark(id, edits.isChanged(id));
  },
  focus: () => undefined,
  save,
  leave: () => (at('save').disabled ? at('pages').focus() : at('save').focus()),
});

const fields = createFields(at('texts'), {
  edit(id, texts) {
    if (!edits.setTexts(id, texts)) return;
    fields.set(id, texts, edits.isChanged(id));
    frame.set(id, texts, edits.isChanged(id));
  },
  show(id) {
    showView('page');
    frame.focus(id);
  },
});

const listTexts = () => fields.list(edits.page.texts, inPlace, edits.textsOf);

/** Shows a page as the service has it now. */
function show(page) {
  edits.begin(page);
  document.title = `Edit ${page.slug}`;
  at('pages').replaceChildren(
    ...page.pages.map((slug) => make('option', { value: slug, selected: slug === page.slug }, slug)),
  );
  at('preview').href = page.previewUrl;
  showSource(page.source);
  listTexts();
  frame.load();
  body.dataset.phase = 'ready';
}

/** The frame was made of a later version than the editor has: with nothing typed, that one is opened. */
function renew() {
  if (edits.mode === 'none') void openPage().then(show, tell);
  else notify('The page was changed meanwhile. Save to see what changed; what you typed is kept.');
  return null;
}

/** With the caret at its beginning. */
function showSource(source) {
  at('code').value = forTextarea(source);
  at('code').setSelectionRange(0, 0);
}

function showState() {
  const { mode, texts } = edits;
  const isDirty = mode !== 'none';
  at('save').disabled = !isDirty || isSaving;
  at('discard').disabled = !isDirty || isSaving;
  at('code').readOnly = mode === 'texts';
  at('source-note').textContent =
    mode === 'texts'
      ? 'Save or discard the changed texts first: then the source can be edited.'
      : 'The whole file, as it is saved.';
  at('stage').inert = at('texts').inert = mode === 'source';
  body.dataset.mode = mode;
  at('state').textContent = isSaving ? 'Saving…' : notes[mode](texts.length);
}

const notes = {
  none: () => (hasSaved ? 'Saved: the preview shows it' : 'No unsaved changes'),
  texts: (count) => `${count} unsaved ${count === 1 ? 'change' : 'changes'}`,
  source: () => 'Source changed, not saved',
};

async function save() {
  if (isSaving || edits.mode === 'none') return;
  isSaving = true;
  showState();
  try {
    saved(await savePage(edits.change()));
  } catch (error) {
    await (error.status === 409 && error.message.startsWith('Page changed') ? settle() : tell(error));
  } finally {
    isSaving = false;
    showState();
  }
}

/** The frame shows what was saved already, unless the page's elements are others now. */
function saved(page) {
  const ids = (texts) => texts.map(({ id, marks }) => `${id} ${marks}`).join();
  const isSameShape = edits.mode === 'texts' && ids(page.texts) === ids(edits.page.texts);
  const changed = edits.texts.map(([{ id }]) => id);
  if (!isSameShape) show(page);
  else {
    edits.begin(page);
    showSource(page.source);
    for (const id of changed) {
      frame.set(id, edits.textsOf(id), false);
      fields.set(id, edits.textsOf(id), false);
    }
  }
  hasSaved = true;
  notify('');
}

/** Somebody else saved the page first. Nothing typed is thrown away before its author says so. */
async function settle() {
  const page = await openPage();
  const { mode, source, texts } = edits;
  const pairs = compare(texts, page);
  const choice = await (mode === 'source' ? decideSource(source, page.source) : decideTexts(pairs));
  if (choice === 'later') return notify('Not saved: the page was changed meanwhile. Save again to decide.');
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

function notify(text) {
  at('notice').hidden = text === '';
  at('notice-text').textContent = text;
}

function tell({ status, message }) {
  if (status !== 401) return notify(message);
  notify(
    'This editing session has ended. Open a new link for this task in another tab, then come back and save: what you typed is still here.',
  );
}

function showView(view) {
  body.dataset.view = view;
  for (const button of document.querySelectorAll('[data-shows]'))
    button.ariaPressed = String(button.dataset.shows === view);
  if (view === 'source') at('code').focus();
}

function discard() {
  if (confirm('Discard what you typed since the last save?')) show(edits.page);
}

function listen() {
  at('save').onclick = save;
  at('discard').onclick = discard;
  at('notice-close').onclick = () => notify('');
  at('code').oninput = () => edits.setSource(at('code').value);
  for (const button of document.querySelectorAll('[data-shows]')) button.onclick = () => showView(button.dataset.shows);
  at('pages').onchange = ({ target }) => {
    const slug = target.value;
    target.value = edits.page.slug;
    location.href = pageUrl(slug);
  };
  addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    void save();
  });
  addEventListener('beforeunload', (event) => {
    if (edits.page && edits.mode !== 'none') event.preventDefault();
  });
}

/** The link's key leaves the address before anything else happens. */
function takeKey() {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (location.hash) history.replaceState(null, '', location.pathname);
  return key;
}

async function begin() {
  const key = takeKey();
  try {
    if (key) await openSession(key).catch((error) => error.status === 401 || Promise.reject(error));
    show(await openPage());
    listen();
  } catch (error) {
    showGate(error, { ...address, hadKey: key !== null });
  }
}

await begin();
