import type { PreviewText } from '../../contract/deployment.ts';
import type { ChangedPages } from '../../sites/pages/deriveSitemap.ts';

/** Pages, and notes, that one pull request names. Forges limit a body's length. */
const MOST = 100;

const kinds = { created: 'New', modified: 'Changed', deleted: 'Deleted' } as const;

/** A pull request's body: what changed, what to check, and where the task is read. */
export function pullRequestBody(
  { notes }: Pick<PreviewText, 'notes'>,
  changed: ChangedPages,
  taskAddress: string,
): string {
  const pages = (['created', 'modified', 'deleted'] as const).flatMap((kind) =>
    changed[kind].map(({ slug }) => `${kinds[kind]}: ${slug}`),
  );
  return [
    ...listed('What changed:', '- ', pages),
    ...listed('Please check:', '- [ ] ', notes),
    `Task and previews: ${taskAddress}`,
    '',
  ].join('\n');
}

function listed(title: string, mark: string, lines: string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - MOST;
  const shown = lines.slice(0, MOST).map((line) => mark + escaped(line));
  return [title, '', ...shown, ...(more > 0 ? [`${mark}and ${more} more, in the task`] : []), ''];
}

/** Texts of pages are data: no mention of people, link or markup in them takes effect. */
const escaped = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .slice(0, 1_000)
    .replace(/[\\`*_{}[\]()<>#+!|~]/g, '\\$&')
    .replaceAll('@', '@\u200b')
    .replace(/:(?=\/\/)/g, ':\u200b');
