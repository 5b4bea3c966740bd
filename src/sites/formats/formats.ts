import type { PageFormat } from './format.ts';
import { html } from './html/html.ts';

/** The formats of pages: each of them is in `paths.ts` too. */
export const formats: [PageFormat, ...PageFormat[]] = [html];
