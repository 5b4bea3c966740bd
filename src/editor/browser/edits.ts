// Unsaved edits: either of single texts or of the whole source, never of both.

import type { EditorChange, EditableText, OfferedPage, TypedText } from '../protocol.ts';
import { restoreLineEnds } from './lineEnds.ts';

/** Keeps the unsaved edits of the opened page. @param onChange called after every change */
export function createEdits(onChange: () => void) {
  let openedPage: OfferedPage | undefined;
  let source: string | undefined;
  const typed = new Map<string, string[]>();

  function page(): OfferedPage {
    if (!openedPage) throw new Error('No page is open');
    return openedPage;
  }
  const findText = (id: string) => page().texts.find((text) => text.id === id);

  return {
    /** Starts with a page as the service has it now. Discards all unsaved edits. */
    begin(loadedPage: OfferedPage) {
      openedPage = loadedPage;
      source = undefined;
      typed.clear();
      onChange();
    },
    get page() {
      return page();
    },
    get source() {
      return source ?? page().source;
    },
    /** The changed texts, each with what was typed. */
    get texts(): [EditableText, string[]][] {
      return [...typed].flatMap(([id, texts]) => {
        const text = findText(id);
        return text ? [[text, texts]] : [];
      });
    },
    get mode() {
      return source !== undefined ? 'source' : typed.size > 0 ? 'texts' : 'none';
    },
    typed: (id: string): TypedText => ({
      id,
      texts: typed.get(id) ?? findText(id)?.texts ?? [],
      isChanged: typed.has(id),
    }),
    /**
     * Sets what was typed for a text.
     * @param texts one for each part of the text between its marks
     * @returns false if the page has no such text, or the text has another number of parts
     */
    setTexts(id: string, texts: string[]): boolean {
      const text = findText(id);
      if (text?.texts.length !== texts.length) return false;
      if (texts.every((part, i) => part === text.texts[i])) typed.delete(id);
      else typed.set(id, texts);
      onChange();
      return true;
    },
    /** @param value the textarea's value, whose lines end with LF */
    setSource(value: string) {
      const text = restoreLineEnds(value, page().source);
      source = text === page().source ? undefined : text;
      onChange();
    },
    /** The change that a save sends. */
    change(): EditorChange {
      const { digest } = page();
      return source === undefined
        ? { digest, texts: Object.fromEntries(typed) }
        : { digest, source };
    },
  };
}
