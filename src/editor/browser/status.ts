// Shows what the page's edits allow: what can be saved, and where can be typed.

import { elements } from './dom.ts';

const notes = {
  none: (/** @type {number} */ _, /** @type {boolean} */ hasSaved) =>
    hasSaved ? 'Saved: the preview shows it' : 'No unsaved changes',
  texts: (/** @type {number} */ count) => `${count} unsaved ${count === 1 ? 'change' : 'changes'}`,
  source: () => 'Source changed, not saved',
};

/**
 * @param {{ mode: 'source' | 'texts' | 'none', texts: unknown[], page: { state: string, mayPublish: boolean } }} edits
 * @param {{ isSaving: boolean, isPublishing: boolean, hasSaved: boolean }} progress
 */
export function showStatus({ mode, texts, page }, { isSaving, isPublishing, hasSaved }) {
  const { publish, save, discard, code, sourceNote, stage, state } = elements;
  publish.hidden = !page.mayPublish;
  publish.disabled = mode !== 'none' || isSaving || isPublishing || page.state === 'live' || page.state === 'replaced';
  publish.title = mode === 'none' ? '' : 'Save first: what is saved goes live.';
  const isDirty = mode !== 'none';
  save.disabled = !isDirty || isSaving;
  discard.disabled = !isDirty || isSaving;
  code.readOnly = mode === 'texts';
  sourceNote.textContent =
    mode === 'texts'
      ? 'Save or discard the changed texts first: then the source can be edited.'
      : 'The whole file, as it is saved.';
  stage.inert = elements.texts.inert = mode === 'source';
  document.body.dataset.mode = mode;
  state.textContent = isSaving ? 'Saving…' : isPublishing ? 'Publishing…' : notes[mode](texts.length, hasSaved);
}
