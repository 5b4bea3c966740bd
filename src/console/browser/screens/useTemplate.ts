import { path } from '../../../browser/path.ts';
import { post } from '../client/api.ts';
import type { Checked } from '../../../contract/answers.ts';
import { useData } from '../useData.ts';
import { slugOf } from '../slug.ts';
import { bodyOf, type Request } from './useRowChecks.ts';

/** Names that every template knows (docs/agents.md, "Pages"). */
const everywhere = [
  'Headline',
  'Title',
  'Description',
  'Lead',
  'Body',
  'Button',
  'Image alt',
  'Language',
];
/** A heading that is a whole sentence names no column. */
const HEADING_LENGTH = 60;

interface Template {
  /**
   * The names of what it has: those of every template, and its headings, which stand for their
   * sections.
   */
  labels: string[];
  /** BCP 47 tag. */
  language: string | undefined;
  /** Where it says that the site is: a host, and the folder there. */
  home: string | undefined;
}

export function useTemplate(siteId: string, template: string): Template {
  const { data } = useData(`template ${siteId} ${template}`, async () => {
    const request: Request = { siteId, command: 'generate_pages', templatePageSlug: template };
    const empty = { targetPageSlug: slugOf('a new page', template), context: '-' };
    const { items = [], template: said } = await post<Checked>(
      path`/agent/tasks/check`,
      bodyOf(request, [empty]),
    );
    const headings = items.flatMap(({ stays }) => stays.filter(({ label }) => label === 'heading'));
    const labels = [...new Set(headings.map(({ text }) => text))].filter(
      ({ length }) => length <= HEADING_LENGTH,
    );
    return { labels, language: said?.language ?? undefined, home: said?.home ?? undefined };
  });
  return {
    labels: [...everywhere, ...(data?.labels ?? [])],
    language: data?.language,
    home: data?.home,
  };
}
