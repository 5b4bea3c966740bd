// Shows what can be saved, and where one can type, according to the unsaved edits.

import { countNoun } from '../../browser/counts.ts';
import type { OfferedPage } from '../protocol.ts';
import { elements } from './dom.ts';

const modeWords = {
  none: (_: number, hasSaved: boolean) =>
    hasSaved ? 'Saved. The preview shows your changes' : 'No unsaved changes',
  texts: (texts: number) => countNoun(texts, 'unsaved change'),
  source: () => 'The source has unsaved changes',
};

interface ShownEdits {
  mode: keyof typeof modeWords;
  texts: unknown[];
  page: Pick<OfferedPage, 'state' | 'mayPublish'>;
}

export interface EditorProgress {
  isSaving: boolean;
  isPublishing: boolean;
  hasSaved: boolean;
}

export function showStatus(
  { mode, texts, page }: ShownEdits,
  { isSaving, isPublishing, hasSaved }: EditorProgress,
) {
  const { publish, save, discard, code, sourceNote, stage, state } = elements;
  publish.hidden = !page.mayPublish;
  publish.disabled =
    mode !== 'none' ||
    isSaving ||
    isPublishing ||
    page.state === 'live' ||
    page.state === 'replaced';
  publish.title = mode === 'none' ? '' : 'Save first. Only saved changes go live.';
  const isDirty = mode !== 'none';
  save.disabled = !isDirty || isSaving;
  discard.disabled = !isDirty || isSaving;
  code.readOnly = mode === 'texts';
  sourceNote.textContent =
    mode === 'texts'
      ? 'Save or discard the changed texts before you edit the source.'
      : 'The whole file, as it was last saved.';
  stage.inert = elements.texts.inert = mode === 'source';
  document.body.dataset['mode'] = mode;
  state.textContent = isSaving
    ? 'Saving…'
    : isPublishing
      ? 'Publishing…'
      : modeWords[mode](texts.length, hasSaved);
}
