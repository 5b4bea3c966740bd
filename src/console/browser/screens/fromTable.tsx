import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Site, SitePage } from '../client/types.ts';
import { readTable, type Table } from '../readTable.ts';
import { usePlace } from '../router.ts';
import { Button, SelectField } from '../ui/controls.tsx';
import { Empty, Problem } from '../ui/states.tsx';
import { count } from '../names.ts';
import { Grid } from './grid.tsx';

/** Template, then table, then the grid that says what becomes of each row. */
export function FromTable({ site, pages }: { site: Site; pages: SitePage[] }) {
  const templates = pages.filter(({ template }) => template);
  const asked = usePlace().query.get('template');
  const [template, setTemplate] = useState(templates.find(({ slug }) => slug === asked)?.slug ?? '');
  const [table, setTable] = useState<Table>();
  if (templates.length === 0)
    return (
      <div class="card">
        <Empty icon="table" title="No page can be a template yet">
          New pages are made like a page of the site. The repository’s branch has none that the service can read.
        </Empty>
      </div>
    );
  return (
    <>
      <section class="card padded stack" aria-label="Template and table">
        <SelectField
          label="Template"
          hint="Each new page looks like this one, with the row’s texts in place of its own."
          value={template}
          onChange={setTemplate}
          choices={[
            ...(template ? [] : ([['', 'Choose a page']] as [string, string][])),
            ...templates.map(({ slug, title }): [string, string] => [slug, `${title} (${slug})`]),
          ]}
        />
        {table ? (
          <div class="row spread">
            <span>
              <span class="strong">{count(table.rows.length, 'row')}</span>
              <span class="muted"> · {count(table.names.length, 'column')}</span>
            </span>
            <Button little onClick={() => setTable(undefined)}>
              Another table
            </Button>
          </div>
        ) : (
          <TableInput onTable={setTable} />
        )}
      </section>
      {table && template && <Grid key={template} {...{ site, pages, template, table }} />}
      {table && !template && <Problem>Choose the template, then the rows can be checked.</Problem>}
    </>
  );
}

/** A box for what was copied from a spreadsheet, or a CSV file. */
function TableInput({ onTable }: { onTable: (table: Table) => void }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const take = (given: string) => {
    setText(given);
    const table = readTable(given);
    if (typeof table === 'string') setProblem(table);
    else onTable(table);
  };
  const takeFile = async (file: File | undefined) => file && take(await file.text());
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    if (text !== '' || !pasted.includes('\n')) return;
    event.preventDefault();
    take(pasted);
  };
  return (
    <div class="stack tight">
      <label class="legend" for="table">
        Table
      </label>
      <DropZone onFile={takeFile}>
        <textarea
          id="table"
          value={text}
          spellcheck={false}
          aria-describedby="table-about"
          placeholder={'City\tHeadline\tPhone\nLisbon\tWeb design in Lisbon\t+351 21 000 0000'}
          onInput={(event) => setText(event.currentTarget.value)}
          onPaste={onPaste}
        />
        <div class="foot">
          <Button look="primary" little disabled={!text.trim()} onClick={() => take(text)}>
            Use this table
          </Button>
          <FileButton onFile={takeFile} />
          <span id="table-about" class="muted small">
            Copy the cells in your spreadsheet, with the row of names, and paste them here. Or drop a file.
          </span>
        </div>
      </DropZone>
      {problem && <Problem>{problem}</Problem>}
    </div>
  );
}

type TakesFile = { onFile: (file: File | undefined) => Promise<unknown> };

const FileButton = ({ onFile }: TakesFile) => (
  <label class="btn little">
    Choose a CSV file
    <input
      class="unseen"
      type="file"
      accept=".csv,.tsv,.txt,text/csv"
      onChange={(event) => void onFile(event.currentTarget.files?.[0])}
    />
  </label>
);

function DropZone({ onFile, children }: TakesFile & { children: ComponentChildren }) {
  const [isOver, setOver] = useState(false);
  return (
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void onFile(event.dataTransfer?.files[0]);
      }}
    >
      {children}
    </div>
  );
}
