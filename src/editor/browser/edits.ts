// Unsaved edits, either of single texts or of the whole source.

import type { Change, EditableText, OfferedPage, TypedText } from '../protocol.ts';
import { asFile } from './lineEnds.ts';

/** @param onChange told after every change */
export function createEdits(onChange: () => void) {
  let opened: OfferedPage | undefined;
  let source: string | undefined;
  const typed = new Map<string, string[]>();

  function page(): OfferedPage {
    if (!opened) throw new Error('No page is open');
    return opened;
  }
  const textOf = (id: string) => page().texts.find((text) => text.id === id);

  return {
    /** Starts with a page as the service has it now. Drops all unsaved edits. */
    begin(now: OfferedPage) {
      opened = now;
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
        const text = textOf(id);
        return text ? [[text, texts]] : [];
      });
    },
    get mode() {
      return source !== undefined ? 'source' : typed.size > 0 ? 'texts' : 'none';
    },
    typed: (id: string): TypedText => ({
      id,
      texts: typed.get(id) ?? textOf(id)?.texts ?? [],
      isChanged: typed.has(id),
    }),
    /**
     * Sets what was typed for a text.
     * @param texts one for each part of the text between its marks
     * @returns false if the page has no such text, or the text has another number of parts
     */
    setTexts(id: string, texts: string[]): boolean {
      const text = textOf(id);
      if (text?.texts.length !== texts.length) return false;
      if (texts.every((each, i) => each === text.texts[i])) typed.delete(id);
      else typed.set(id, texts);
      onChange();
      return true;
    },
    /** @param value the textarea's value, whose lines end with LF */
    setSource(value: string) {
      const text = asFile(value, page().source);
      source = text === page().source ? undefined : text;
      onChange();
    },
    /** The change that a save sends. */
    change(): Change {
      const { digest } = page();
      return source === undefined
        ? { digest, texts: Object.fromEntries(typed) }
        : { digest, source };
    },
  };
}
