import { path } from '../../../browser/path.ts';
import { post } from '../client/api.ts';
import type { Checked } from '../../../contract/answers.ts';
import { useData } from '../useData.ts';
import { slugOf } from '../slug.ts';
import { bodyOf, type Request } from './useTableChecks.ts';

/** Labels that every template has (docs/agents.md, "Pages"). */
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
/** The most characters of a heading that can be a label. A longer one is a whole sentence. */
const HEADING_LENGTH = 60;

interface Template {
  /**
   * What columns can fill: the labels of every template, and the template's headings, each of which
   * stands for its section.
   */
  labels: string[];
  /** BCP 47 tag. */
  language: string | undefined;
  /** The site's address as the template states it: a host, with a folder if there is one. */
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
