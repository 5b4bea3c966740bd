import { path } from '../../../editor/public/path.js';
import { useEffect, useState } from 'preact/hooks';
import { post } from '../client/api.ts';
import { wordsOf } from '../client/http.ts';
import type { Checked, Site, SitePage, Started } from '../client/types.ts';
import { useData } from '../data.ts';
import type { Table } from '../readTable.ts';
import { navigate } from '../router.ts';
import {
  addressColumn,
  addressProblems,
  type Column,
  contextOf,
  inTasks,
  type Item,
  slugOf,
  suggest,
} from '../table.ts';
import { Button, SelectField, TextField } from '../ui/controls.tsx';
import { Problem } from '../ui/states.tsx';
import { count } from '../names.ts';
import { After, type AfterChoice, afterFields } from './after.tsx';
import { Rows } from './rows.tsx';
import { bodyOf, type Request, useRowChecks } from './useRowChecks.ts';

interface GridProps {
  site: Site;
  pages: SitePage[];
  template: string;
  table: Table;
}

/** Names that every template knows (docs/agents.md, "Pages"). */
const everywhere = ['Headline', 'Title', 'Description', 'Lead', 'Body', 'Button', 'Image alt', 'Language'];
/** A heading that is a whole sentence names no column. */
const HEADING_LENGTH = 60;

/** The names of what the template has: those of every template, and its headings, which stand for their sections. */
function useLabels(site: Site, template: string): string[] {
  const { data = [] } = useData(`headings ${site.siteId} ${template}`, async () => {
    const request: Request = { siteId: site.siteId, command: 'generate_pages', templatePageSlug: template };
    const empty = { targetPageSlug: slugOf('a new page', template), context: '-' };
    const { items = [] } = await post<Checked>(path`/agent/tasks/check`, bodyOf(request, [empty]));
    const headings = items.flatMap(({ stays }) => stays.filter(({ label }) => label === 'heading'));
    return [...new Set(headings.map(({ text }) => text))].filter(({ length }) => length <= HEADING_LENGTH);
  });
  return [...everywhere, ...data];
}

/** Maps columns to what the template has, shows what would stay the template's, and starts the tasks. */
export function Grid({ site, pages, template, table }: GridProps) {
  const labels = useLabels(site, template);
  const [columns, setColumns] = useState<Column[]>(() => suggest(table.names, table.rows, labels));
  const [slugs, setSlugs] = useState<string[]>(() => slugsOf(columns, table, template));
  const [options, setOptions] = useState({ facts: 'keep', linkFrom: '', title: '', after: 'preview' as AfterChoice });
  useEffect(() => setColumns(suggest(table.names, table.rows, labels)), [labels.join('\n')]);
  const choose = (next: Column[]) => {
    setColumns(next);
    setSlugs(slugsOf(next, table, template));
  };
  const request: Request = {
    ...{ siteId: site.siteId, command: 'generate_pages', templatePageSlug: template },
    ...(options.facts === 'drop' && { facts: 'drop' as const }),
    ...(options.linkFrom && { linkFrom: options.linkFrom }),
  };
  const items = table.rows.map((row, at): Item => ({ targetPageSlug: slugs[at]!, context: contextOf(columns, row) }));
  const wrong = addressProblems(slugs);
  const checks = useRowChecks(
    request,
    items.filter(({ context }, at) => !wrong[at] && context !== ''),
  );
  const bad = items.filter(
    ({ targetPageSlug, context }, at) =>
      wrong[at] || context === '' || checks.rows.get(targetPageSlug)?.problems.length,
  ).length;
  return (
    <section class="card" aria-label="Rows">
      <Rows {...{ table, labels, columns, slugs, wrong, checks }} onColumns={choose} onSlugs={setSlugs} />
      <div class="card-body stack">
        {checks.problems.map((problem) => (
          <Problem key={problem}>{problem}</Problem>
        ))}
        {checks.error !== undefined && <Problem>The rows could not be checked: {wordsOf(checks.error)}</Problem>}
        <Options options={options} pages={pages} template={template} onChange={setOptions} />
      </div>
      <Start
        items={items}
        bad={bad}
        isChecking={checks.isChecking}
        start={(part, title) =>
          post<Started>(
            path`/agent/tasks`,
            { ...bodyOf(request, part), ...afterFields(options.after), ...(title && { title }) },
            { 'Idempotency-Key': crypto.randomUUID() },
          )
        }
        title={options.title.trim()}
      />
    </section>
  );
}

/** Addresses from the column that is for them, else from the one whose values differ. */
function slugsOf(columns: Column[], { names, rows }: Table, template: string): string[] {
  const chosen = columns.findIndex(({ use }) => use === 'address');
  const at = chosen >= 0 ? chosen : addressColumn(names, rows);
  return rows.map((row) => slugOf(row[at] ?? '', template));
}

interface OptionValues {
  facts: string;
  linkFrom: string;
  title: string;
  after: AfterChoice;
}

function Options({
  options,
  pages,
  template,
  onChange,
}: {
  options: OptionValues;
  pages: SitePage[];
  template: string;
  onChange: (options: OptionValues) => void;
}) {
  const set = (name: keyof OptionValues) => (value: string) => onChange({ ...options, [name]: value });
  return (
    <div class="panes">
      <SelectField
        label="Facts that a row does not give"
        hint="Prices, quotes, addresses and the like."
        value={options.facts}
        onChange={set('facts')}
        choices={[
          ['keep', 'Stay the template’s, and are named'],
          ['drop', 'Are taken out'],
        ]}
      />
      <SelectField
        label="Page that links to the new ones"
        hint="Its link to the template is repeated for each new page."
        value={options.linkFrom}
        onChange={set('linkFrom')}
        choices={[
          ['', 'None'],
          ...pages
            .filter(({ slug }) => slug !== template)
            .map(({ slug, title }): [string, string] => [slug, `${title} (${slug})`]),
        ]}
      />
      <TextField
        label="Title of the task (optional)"
        placeholder="Cities of the spring campaign"
        maxLength={180}
        value={options.title}
        onInput={set('title')}
      />
      <After value={options.after} onChange={(after) => onChange({ ...options, after })} />
    </div>
  );
}

interface StartProps {
  items: Item[];
  bad: number;
  isChecking: boolean;
  title: string;
  start: (items: Item[], title: string) => Promise<Started>;
}

/** Starts a task for every ten rows. Those that were begun before one was refused are not begun again. */
function Start({ items, bad, isChecking, title, start }: StartProps) {
  const [state, setState] = useState<{ busy: boolean; begun: string[]; error?: unknown }>({ busy: false, begun: [] });
  const parts = inTasks(items);
  const run = async () => {
    setState({ busy: true, begun: state.begun });
    const begun = [...state.begun];
    try {
      for (const [at, part] of parts.entries()) {
        if (at < begun.length) continue;
        begun.push(
          (await start(part, title && parts.length > 1 ? `${title} (${at + 1} of ${parts.length})` : title)).taskId,
        );
      }
      navigate(`/tasks/${begun.join(',')}`);
    } catch (error) {
      setState({ busy: false, begun, error });
    }
  };
  return (
    <>
      {state.error !== undefined && (
        <div class="card-body">
          <Problem>
            {wordsOf(state.error)}
            {state.begun.length > 0 && ` ${count(state.begun.length, 'task')} began. Start again to begin the rest.`}
          </Problem>
        </div>
      )}
      <div class="card-foot">
        <span role="status">
          {bad > 0
            ? `${count(bad, 'row needs', 'rows need')} a look before you can start.`
            : isChecking
              ? 'Checking the rows…'
              : parts.length > 1
                ? `${count(items.length, 'page')}, in ${parts.length} tasks of up to ten.`
                : `${count(items.length, 'page')}. Nothing goes live before you publish it.`}
        </span>
        <Button look="primary" busy={state.busy} disabled={bad > 0} onClick={() => void run()}>
          {parts.length > 1 ? `Start ${parts.length} tasks` : 'Start'}
        </Button>
      </div>
    </>
  );
}
