import { descendants, parseDocument } from '../../../../../src/sites/formats/html/document.ts';
import { html } from '../../../../../src/sites/formats/html/html.ts';
import { findSlotPlaces } from '../../../../../src/sites/formats/html/slots/findSlotPlaces.ts';
import { readJsonLd } from '../../../../../src/sites/formats/html/slots/plainSlotPlaces.ts';
import type { PageCheck } from '../../../../../src/sites/formats/format.ts';
import type { SlotTexts } from '../../../../../src/sites/formats/pageParts.ts';

const path = 'page.html';

const elementsOf = (source: string) => [...descendants(parseDocument(source).root)];

/** A page's texts, what stands in it, and the page with other texts. */
export const asHtml = {
  slots: (source: string) => html.calls.read({ path, source }).slots,
  apply: (source: string, texts: SlotTexts) => html.calls.setTexts({ path, source }, texts),
  slugOf: (path: string) => html.paths.slugOf(path),
  check: (page: PageCheck) => html.calls.check(page),
  /** The page's slots, with their bytes. */
  places: (source: string) => findSlotPlaces(parseDocument(source)),
  /** The values of its `id` attributes. */
  ids: (source: string): string[] =>
    elementsOf(source).flatMap(({ attrs }) =>
      attrs.filter(({ name }) => name === 'id').map(({ value }) => value),
    ),
  /** Its first script, read as JSON. */
  json(source: string): unknown {
    const script = elementsOf(source).find(({ tagName }) => tagName === 'script');
    return script && JSON.parse(readJsonLd(script)!.text);
  },
};
