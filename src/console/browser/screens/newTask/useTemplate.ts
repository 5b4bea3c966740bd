import { hostPath } from '../../../../browser/hostPath.ts';
import { post } from '../../client/api.ts';
import type { TaskCheckResponse } from '../../../../contract/responses.ts';
import { contextPlaces } from '../../../../contract/contextPlaces.ts';
import { useData } from '../../useData.ts';
import { slugForName } from '../../table/slug.ts';
import { taskRequestBody, type TableRequest } from './useTableChecks.ts';

/** The most characters of a heading that can be a label. A longer one is a whole sentence. */
const HEADING_LENGTH = 60;

interface TemplateLabels {
  /**
   * The labels of what columns can fill: those of every template, and the template's headings, each
   * of which stands for its section.
   */
  labels: string[];
  /** BCP 47 tag. */
  language: string | undefined;
  /** The site's home as the template states it: a host, with a folder if there is one. */
  home: string | undefined;
}

/** Reads what a template offers to columns, by trying an empty page. Starts nothing. */
export function useTemplate(siteId: string, template: string): TemplateLabels {
  const { data } = useData(`template ${siteId} ${template}`, async () => {
    const request: TableRequest = { siteId, command: 'generate_pages', templatePageSlug: template };
    const emptyItem = { targetPageSlug: slugForName('a new page', template), context: '-' };
    const { items = [], template: templateIdentity } = await post<TaskCheckResponse>(
      hostPath`/agent/tasks/check`,
      taskRequestBody(request, [emptyItem]),
    );
    const headings = items.flatMap(({ stays }) => stays.filter(({ label }) => label === 'heading'));
    const labels = [...new Set(headings.map(({ text }) => text))].filter(
      ({ length }) => length <= HEADING_LENGTH,
    );
    return {
      labels,
      language: templateIdentity?.language ?? undefined,
      home: templateIdentity?.home ?? undefined,
    };
  });
  return {
    labels: [...contextPlaces, ...(data?.labels ?? [])],
    language: data?.language,
    home: data?.home,
  };
}
