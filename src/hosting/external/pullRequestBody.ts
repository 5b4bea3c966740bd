import type { PullRequestText } from '../../contract/deployment.ts';
import type { ChangedPages } from '../../sites/pages/sitemap/deriveSitemap.ts';

/** The most pages and the most notes in a pull request, because forges limit its length. */
const MOST = 100;

const changeLabels = { created: 'New', modified: 'Changed', deleted: 'Deleted' } as const;

/**
 * The body of a pull request in Markdown: the pages that changed, the notes (what a person should
 * check), and the URL of the task.
 */
export function pullRequestBody(
  { notes }: Pick<PullRequestText, 'notes'>,
  pageChanges: ChangedPages,
  taskAddress: string,
): string {
  const pages = (['created', 'modified', 'deleted'] as const).flatMap((kind) =>
    pageChanges[kind].map(({ slug }) => `${changeLabels[kind]}: ${slug}`),
  );
  return [
    ...bodySection('What changed:', '- ', pages),
    ...bodySection('Please check:', '- [ ] ', notes),
    `Task and previews: ${taskAddress}`,
    '',
  ].join('\n');
}

function bodySection(title: string, mark: string, lines: string[]): string[] {
  if (lines.length === 0) return [];
  const omittedCount = lines.length - MOST;
  const shownLines = lines.slice(0, MOST).map((line) => mark + escapeMarkdown(line));
  return [
    title,
    '',
    ...shownLines,
    ...(omittedCount > 0 ? [`${mark}and ${omittedCount} more, listed in the task`] : []),
    '',
  ];
}

/** Escapes a text of a page, so that it can't mention people, link to a site or format the body. */
const escapeMarkdown = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .slice(0, 1_000)
    .replace(/[\\`*_{}[\]()<>#+!|~]/g, '\\$&')
    .replaceAll('@', '@\u200b')
    .replace(/:(?=\/\/)/g, ':\u200b');
