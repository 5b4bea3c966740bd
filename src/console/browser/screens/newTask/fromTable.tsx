import { useEffect } from 'preact/hooks';
import type { SiteSummary, SitePageResponse } from '../../../../contract/responses.ts';
import { firstOptions } from '../../table/tableDraft.ts';
import { useDraft } from '../../table/useDraft.ts';
import { cellsFromTable, type TextTable } from '../../table/readTextTable.ts';
import { setQuery, usePlace } from '../../router.ts';
import { draftRows, withEdits } from '../../table/tableColumns.ts';
import { SelectField } from '../../ui/controls.tsx';
import { EmptyCard, Problem } from '../../ui/states.tsx';
import { pageChoices } from './tableOptions.tsx';
import { Grid } from './grid.tsx';
import { TableInput } from './tableInput.tsx';

/**
 * Asks for a template (the page whose design the new pages get), then for a table, and then shows a
 * grid with the new page of each row.
 */
export function FromTable({ site, pages }: { site: SiteSummary; pages: SitePageResponse[] }) {
  const templates = pages.filter(({ template }) => template);
  const { draft, change, begin, end } = useDraft(site.siteId);
  const requestedSlug = usePlace().query.get('template');
  const template = [requestedSlug, draft?.template].flatMap(
    (slug) => templates.find((page) => page.slug === slug) ?? [],
  )[0];
  const slug = template?.slug ?? '';
  useEffect(() => {
    if (draft && slug !== '' && draft.template !== slug)
      change((formerDraft) => ({ ...formerDraft, template: slug }));
  }, [slug, draft?.template]);
  const useTable = ({ names, rows }: TextTable, isNamed: boolean) =>
    begin({
      id: crypto.randomUUID(),
      chosen: {},
      options: firstOptions,
      template: slug,
      ...draft,
      names,
      isNamed,
      rows: withEdits(draftRows(rows), draft?.rows),
    });
  if (templates.length === 0)
    return (
      <EmptyCard icon="table" title="No page can be a template yet">
        A new page gets the design of an existing page. The repository’s branch has no page that the
        service can read.
      </EmptyCard>
    );
  return (
    <>
      <section class="card padded stack" aria-label="Template and table">
        <SelectField
          label="Template"
          hint="Each new page looks like this one, with the row’s texts in place of its own."
          value={slug}
          onChange={(chosenSlug) => setQuery({ template: chosenSlug })}
          choices={[!template && ['', 'Choose a page'], ...pageChoices(templates)]}
        />
        <TableInput
          key={site.siteId}
          taken={
            draft && {
              cells: cellsFromTable(draft, draft.isNamed),
              headerRow: draft.isNamed ? 0 : null,
            }
          }
          onTable={useTable}
          onLeave={end}
        />
      </section>
      {draft && template && (
        <Grid
          site={site}
          pages={pages}
          template={template}
          draft={draft}
          change={change}
          end={end}
        />
      )}
      {draft && !template && <Problem>Choose a template, so that the rows can be checked.</Problem>}
    </>
  );
}
