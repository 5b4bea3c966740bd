import { useMemo } from 'preact/hooks';
import type { SiteSummary, SitePageResponse } from '../../../../contract/responses.ts';
import type { TableDraft } from '../../table/tableDraft.ts';
import { useSameList } from '../../useSameList.ts';
import { tableColumns, sourceColumn } from '../../table/tableColumns.ts';
import { createLineReader } from '../../table/draftLines.ts';
import { useTemplate } from './useTemplate.ts';

/** A table that is not started yet, with its site and its template. */
export interface DraftedTable {
  site: SiteSummary;
  pages: SitePageResponse[];
  template: SitePageResponse;
  draft: TableDraft;
}

/**
 * The columns of a table with their uses, and a line for each row: the new page's address and
 * context. Computes only what has changed, because 5,000 rows take longer than typing a letter.
 */
export function useLines({ site, pages, template, draft }: DraftedTable) {
  const { names, rows, chosen } = draft;
  const { labels: knownLabels, language, home } = useTemplate(site.siteId, template.slug);
  const labels = useSameList(knownLabels);
  const cells = useSameList(rows.map((row) => row.cells));
  const columns = useMemo(
    () => tableColumns({ names, rows: cells }, labels, chosen),
    [names, cells, labels, chosen],
  );
  const readLines = useMemo(
    () =>
      createLineReader(columns, cells, {
        template: template.slug,
        language,
        homes: [home, site.liveUrl].flatMap((homeUrl) => homeUrl ?? []),
        existing: pages.map(({ slug }) => slug),
      }),
    [columns, cells, pages, template.slug, language, home, site.liveUrl],
  );
  const source = useMemo(() => columns[sourceColumn(columns, cells)]?.name, [columns, cells]);
  const lines = useMemo(() => readLines(rows), [readLines, rows]);
  return { labels, columns, source, lines };
}
