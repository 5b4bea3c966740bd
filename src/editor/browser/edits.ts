// Unsaved edits: by text, or the whole source.

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
    /** Takes a page as the service has it now. What was typed before is gone. */
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
    /** Changed texts, each with its new texts. */
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
    /** @returns whether it is a text of this page, and has as many texts */
    setTexts(id: string, texts: string[]): boolean {
      const text = textOf(id);
      if (text?.texts.length !== texts.length) return false;
      if (texts.every((each, i) => each === text.texts[i])) typed.delete(id);
      else typed.set(id, texts);
      onChange();
      return true;
    },
    /** @param value as a textarea holds it */
    setSource(value: string) {
      const text = asFile(value, page().source);
      source = text === page().source ? undefined : text;
      onChange();
    },
    /** What a save sends. */
    change(): Change {
      const { digest } = page();
      return source === undefined
        ? { digest, texts: Object.fromEntries(typed) }
        : { digest, source };
    },
  };
}
