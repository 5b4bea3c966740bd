// Unsaved edits: by text, or the whole source.

import { asFile } from './lineEnds.ts';

/** @import { Change, EditableText, OfferedPage } from '../protocol.ts' */

/**
 * @param {string[]} a
 * @param {string[]} b
 */
const isSame = (a, b) => a.length === b.length && a.every((text, i) => text === b[i]);

/** @param {() => void} onChange told after every change */
export function createEdits(onChange) {
  /** @type {OfferedPage | undefined} */
  let opened;
  /** @type {string | undefined} */
  let source;
  /** @type {Map<string, string[]>} */
  const typed = new Map();

  function page() {
    if (!opened) throw new Error('No page is open');
    return opened;
  }
  /** @param {string} id */
  const textOf = (id) => page().texts.find((text) => text.id === id);

  return {
    /**
     * Takes a page as the service has it now. What was typed before is gone.
     * @param {OfferedPage} now
     */
    begin(now) {
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
    /** @returns {[EditableText, string[]][]} changed texts, each with its new texts */
    get texts() {
      return [...typed].flatMap(([id, texts]) => {
        const text = textOf(id);
        return text ? [[text, texts]] : [];
      });
    },
    /** @returns {'source' | 'texts' | 'none'} */
    get mode() {
      return source !== undefined ? 'source' : typed.size > 0 ? 'texts' : 'none';
    },
    /** @param {string} id */
    textsOf: (id) => typed.get(id) ?? textOf(id)?.texts ?? [],
    /** @param {string} id */
    isChanged: (id) => typed.has(id),
    /**
     * @param {string} id
     * @param {string[]} texts
     * @returns whether it is a text of this page, and has as many texts
     */
    setTexts(id, texts) {
      const text = textOf(id);
      if (text?.texts.length !== texts.length) return false;
      if (isSame(texts, text.texts)) typed.delete(id);
      else typed.set(id, texts);
      onChange();
      return true;
    },
    /** @param {string} value as a textarea holds it */
    setSource(value) {
      const text = asFile(value, page().source);
      source = text === page().source ? undefined : text;
      onChange();
    },
    /**
     * What a save sends.
     * @returns {Change}
     */
    change() {
      const { digest } = page();
      return source === undefined ? { digest, texts: Object.fromEntries(typed) } : { digest, source };
    },
  };
}
