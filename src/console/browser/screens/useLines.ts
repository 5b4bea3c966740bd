import { useMemo } from 'preact/hooks';
import type { Site, SitePage } from '../../../contract/answers.ts';
import type { Draft } from '../draft.ts';
import { useSameList } from '../useSameList.ts';
import { columnsOf, sourceColumn } from '../table.ts';
import { lineReader } from '../tableLines.ts';
import { useTemplate } from './useTemplate.ts';

/** A table that is not started yet, with what it is about. */
export interface DraftedTable {
  site: Site;
  pages: SitePage[];
  template: SitePage;
  draft: Draft;
}

/**
 * The columns of a table with their uses, and the pages that its rows ask for. They are worked out
 * again only where something changed: with 5,000 rows, that takes longer than typing a letter.
 */
export function useLines({ site, pages, template, draft }: DraftedTable) {
  const { names, rows, chosen } = draft;
  const { labels: known, language, home } = useTemplate(site.siteId, template.slug);
  const labels = useSameList(known);
  const cells = useSameList(rows.map((row) => row.cells));
  const columns = useMemo(
    () => columnsOf({ names, rows: cells }, labels, chosen),
    [names, cells, labels, chosen],
  );
  const read = useMemo(
    () =>
      lineReader(columns, cells, {
        template: template.slug,
        language,
        homes: [home, site.liveUrl].flatMap((each) => each ?? []),
        existing: pages.map(({ slug }) => slug),
      }),
    [columns, cells, pages, template.slug, language, home, site.liveUrl],
  );
  const source = useMemo(() => columns[sourceColumn(columns, cells)]?.name, [columns, cells]);
  const lines = useMemo(() => read(rows), [read, rows]);
  return { labels, columns, source, lines };
}
