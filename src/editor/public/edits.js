// What was typed and is not saved yet: by text, or the whole source.

import { asFile } from './lineEnds.js';

const isSame = (a, b) => a.length === b.length && a.every((text, i) => text === b[i]);

/** @param {() => void} onChange told after every change */
export function createEdits(onChange) {
  let page;
  let source;
  const typed = new Map();

  const textOf = (id) => page.texts.find((text) => text.id === id);

  return {
    /** Takes a page as the service has it now. What was typed before is gone. */
    begin(opened) {
      page = opened;
      source = undefined;
      typed.clear();
      onChange();
    },
    get page() {
      return page;
    },
    get source() {
      return source ?? page.source;
    },
    /** Changed texts: `[text, its new texts]`. */
    get texts() {
      return [...typed].map(([id, texts]) => [textOf(id), texts]);
    },
    get mode() {
      return source !== undefined ? 'source' : typed.size > 0 ? 'texts' : 'none';
    },
    textsOf: (id) => typed.get(id) ?? textOf(id).texts,
    isChanged: (id) => typed.has(id),
    /** @returns whether it is a text of this page */
    setTexts(id, texts) {
      const text = textOf(id);
      const fits = text && Array.isArray(texts) && texts.length === text.texts.length;
      if (!fits || !texts.every((one) => typeof one === 'string')) return false;
      if (isSame(texts, text.texts)) typed.delete(id);
      else typed.set(id, texts);
      onChange();
      return true;
    },
    /** @param {string} typed as a textarea holds it */
    setSource(typed) {
      const text = asFile(typed, page.source);
      source = text === page.source ? undefined : text;
      onChange();
    },
    /** What a save sends. */
    change() {
      const { digest } = page;
      return source === undefined ? { digest, texts: Object.fromEntries(typed) } : { digest, source };
    },
  };
}
