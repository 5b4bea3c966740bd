import type { PageFormatPort } from './format.ts';
import { html } from './html/html.ts';
import { markdown } from './markdown/markdown.ts';

/** All page formats. Keep in step with `paths.ts`. */
export const formats: [PageFormatPort, ...PageFormatPort[]] = [html, markdown];
