import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { wordsOf } from '../../../browser/http.ts';
import { count } from '../../../browser/counts.ts';
import { encodingChoices } from '../reading/encodings.ts';
import { type FirstRow, recognizeFirstRow } from '../reading/firstRow.ts';
import { readFile } from '../reading/readFile.ts';
import type { Reading } from '../reading/fileCells.ts';
import { readCells, type Table, tableOf } from '../readTable.ts';
import { Button, SelectField } from '../ui/controls.tsx';
import { Notice, Problem } from '../ui/states.tsx';

/** Where a table came from. Known as long as the screen is open. */
interface Source extends Reading {
  file?: File;
  firstRow: FirstRow;
}

interface TableInputProps {
  /** The current table. */
  taken: { cells: string[][]; isNamed: boolean } | undefined;
  onTable: (table: Table, isNamed: boolean) => void;
  onLeave: () => void;
}

/**
 * Takes a table that was copied from a spreadsheet, or a file. Then shows what was read, and how.
 */
export function TableInput({ taken, onTable, onLeave }: TableInputProps) {
  const [source, setSource] = useState<Source>();
  const [problem, setProblem] = useState<string>();
  const take = (read: Source) => {
    const isNamed = read.firstRow === 'names';
    const made = read.firstRow === 'unsure' ? undefined : tableOf(read.cells, isNamed);
    setProblem(typeof made === 'string' ? made : undefined);
    if (typeof made === 'string') return;
    setSource(read);
    if (made) onTable(made, isNamed);
  };
  const takeText = (text: string) => {
    const cells = readCells(text);
    if (typeof cells === 'string') setProblem(cells);
    else take({ cells, remarks: [], firstRow: recognizeFirstRow(cells) });
  };
  const takeFile = async (file: File | undefined, former?: Source, encoding?: string) => {
    if (!file) return;
    const options = { encoding, languages: navigator.languages };
    // The scripts that read files may fail to load.
    const read = await readFile(file, options).catch((error: unknown) => wordsOf(error));
    if (typeof read === 'string') setProblem(read);
    else take({ ...read, file, firstRow: former?.firstRow ?? recognizeFirstRow(read.cells) });
  };
  const leave = () => {
    setSource(undefined);
    setProblem(undefined);
    onLeave();
  };
  const now: Source | undefined =
    source ??
    (taken && { cells: taken.cells, remarks: [], firstRow: taken.isNamed ? 'names' : 'values' });
  return (
    <div class="stack tight">
      {now ? (
        <Taken
          source={now}
          onEncoding={(encoding) => void takeFile(source?.file, source, encoding)}
          onFirstRow={(firstRow) => take({ ...now, firstRow })}
          onLeave={leave}
        />
      ) : (
        <Box onText={takeText} onFile={(file) => takeFile(file)} />
      )}
      {problem && <Problem>{problem}</Problem>}
    </div>
  );
}

interface TakenProps {
  source: Source;
  onEncoding: (encoding: string) => void;
  onFirstRow: (firstRow: FirstRow) => void;
  onLeave: () => void;
}

/** Shows what was read, and how. */
function Taken({ source, onEncoding, onFirstRow, onLeave }: TakenProps) {
  const { cells, file, sheet, encoding, firstRow, remarks } = source;
  return (
    <div class="stack">
      <div class="row spread">
        <span>
          <span class="strong">{count(cells.length - (firstRow === 'names' ? 1 : 0), 'row')}</span>
          <span class="muted"> · {count(cells[0]?.length ?? 0, 'column')}</span>
          {file && <span class="muted over"> · {file.name}</span>}
          {sheet !== undefined && <span class="muted over">, {sheet}</span>}
        </span>
        <Button little onClick={onLeave}>
          Another table
        </Button>
      </div>
      {firstRow === 'unsure' && <FirstRowQuestion row={cells[0] ?? []} onAnswer={onFirstRow} />}
      <div class="panes">
        {firstRow !== 'unsure' && (
          <SelectField
            label="First row"
            hint="A row of names makes no page."
            value={firstRow}
            choices={[
              ['names', 'Names the columns'],
              ['values', 'Is a row like the others'],
            ]}
            onChange={onFirstRow}
          />
        )}
        {encoding !== undefined && (
          <SelectField
            label="Read as"
            hint="Choose another encoding where letters look wrong."
            value={encoding}
            choices={encodingChoices}
            onChange={onEncoding}
          />
        )}
      </div>
      {remarks.map((remark) => (
        <Notice key={remark} kind="warn">
          {remark}
        </Notice>
      ))}
    </div>
  );
}

/** The number of cells of the first row that the question shows. */
const SHOWN_CELLS = 6;

interface QuestionProps {
  row: string[];
  onAnswer: (firstRow: FirstRow) => void;
}

function FirstRowQuestion({ row, onAnswer }: QuestionProps) {
  const more = row.length > SHOWN_CELLS ? ' · …' : '';
  return (
    <div class="stack tight" role="group" aria-label="Is the first row a header?">
      <Notice
        actions={
          <>
            <Button little onClick={() => onAnswer('names')}>
              It names the columns
            </Button>
            <Button little onClick={() => onAnswer('values')}>
              It is a row like the others
            </Button>
          </>
        }
      >
        <span class="strong">Is the first row a header?</span>
        <br />
        <span class="over">{row.slice(0, SHOWN_CELLS).join(' · ') + more}</span>
      </Notice>
    </div>
  );
}

interface BoxProps extends TakesFile {
  onText: (text: string) => void;
}

function Box({ onText, onFile }: BoxProps) {
  const [text, setText] = useState('');
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    if (text !== '' || !pasted.includes('\n')) return;
    event.preventDefault();
    setText(pasted);
    onText(pasted);
  };
  return (
    <>
      <label class="legend" for="table">
        Table
      </label>
      <DropZone onFile={onFile}>
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
          <Button look="primary" little disabled={!text.trim()} onClick={() => onText(text)}>
            Use this table
          </Button>
          <FileButton onFile={onFile} />
          <span id="table-about" class="muted small">
            Copy the cells in your spreadsheet, and paste them here. Or drop a file: .xlsx or CSV.
          </span>
        </div>
      </DropZone>
    </>
  );
}

interface TakesFile {
  onFile: (file: File | undefined) => Promise<unknown>;
}

/** The field is emptied after each choice, so that the same file can be chosen again. */
const FileButton = ({ onFile }: TakesFile) => (
  <label class="btn little">
    Choose a file
    <input
      class="unseen"
      type="file"
      accept=".xlsx,.xlsm,.csv,.tsv,.txt,text/csv"
      onChange={(event) => {
        const { currentTarget } = event;
        void onFile(currentTarget.files?.[0]).finally(() => (currentTarget.value = ''));
      }}
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
