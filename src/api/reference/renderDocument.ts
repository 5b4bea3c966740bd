import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Marked, type RendererObject } from 'marked';
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id';
import { documentFile, documentGroups, documentNames } from './documents.ts';

const templateFile = new URL('document.html', import.meta.url);

/**
 * Shows a document of the repository as a page. Its headings have the ids that GitHub gives them,
 * so a link with a fragment works here as it does there.
 * @param name for example `prompts`, for docs/prompts.md
 * @returns the page's HTML
 */
export async function renderDocument(name: string): Promise<string> {
  const [template, markdown] = await Promise.all([
    readFile(templateFile, 'utf8'),
    readFile(documentFile(name), 'utf8'),
  ]);
  const article = await new Marked(gfmHeadingId(), { renderer }).parse(markdown);
  const title = getHeadingList()[0]?.raw ?? name;
  const parts: Record<string, string> = {
    title,
    menu: menuOf(name),
    article: makeScrollable(article),
  };
  return template.replaceAll(/<!-- (\w+) -->/g, (comment, part: string) => parts[part] ?? comment);
}

const menuOf = (shownName: string): string =>
  Object.entries(documentGroups)
    .map(([group, names]) => {
      const items = names.map((name) => {
        const current = name === shownName ? ' aria-current="page"' : '';
        return `<li><a href="/docs/${name}"${current}>${labelOf(name)}</a></li>`;
      });
      return `<h2>${group}</h2><ul>${items.join('')}</ul>`;
    })
    .join('');

const labels: Record<string, string> = { readme: 'Overview', api: 'API guide', mcp: 'Assistants' };

const labelOf = (name: string): string =>
  labels[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');

const renderer: RendererObject = {
  /** A file that no page shows keeps its name, without a link that would lead nowhere. */
  link({ href, tokens }) {
    const text = this.parser.parseInline(tokens);
    const url = pageUrl(href);
    return url === undefined ? text : `<a href="${url}">${text}</a>`;
  },
  image: ({ href, text }) => `<img src="/docs/images/${basename(href)}" alt="${text}" />`,
};

/** The URL of what a document links to, or undefined if no page shows it. */
function pageUrl(href: string): string | undefined {
  if (/^(https?:|#)/.test(href)) return href;
  const [, file = '', fragment = ''] = /^(?:\.\.\/|docs\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  const name = file.toLowerCase();
  return documentNames.includes(name) ? `/docs/${name}${fragment}` : undefined;
}

/** Lets wide tables and long lines of code scroll on their own, by keyboard too. */
const makeScrollable = (html: string): string =>
  html
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
