import { html } from '../../../../../src/sites/formats/html/html.ts';
import type { SlotTexts } from '../../../../../src/sites/formats/page.ts';

const path = 'page.html';

/** A page's texts, and the page with other ones. */
export const asHtml = {
  slots: (source: string) => html.core.read({ path, source }).slots,
  apply: (source: string, texts: SlotTexts) => html.core.setTexts({ path, source }, texts),
  slugOf: (path: string) => html.paths.slugOf(path),
};
