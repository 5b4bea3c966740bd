import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { errorText } from '../../../../browser/sendRequest.ts';
import { countNoun } from '../../../../browser/counts.ts';
import { findHeaderRow } from '../../reading/firstRow.ts';
import type { FileReading } from '../../reading/fileKinds.ts';
import { readTableFile } from '../../reading/readFile.ts';
import {
  isFilledRow,
  readCells,
  type TextTable,
  tableFromCells,
} from '../../table/readTextTable.ts';
import { Button, type SelectChoice, SelectField } from '../../ui/controls.tsx';
import { Notice, Problem } from '../../ui/states.tsx';

/** The encodings that a person may choose: a label for `TextDecoder`, and a name. */
const encodingChoices: SelectChoice[] = [
  ['utf-8', 'UTF-8'],
  ['utf-16le', 'UTF-16'],
  ['utf-16be', 'UTF-16, big-endian'],
  ['windows-1252', 'Windows-1252 (Western European)'],
  ['macintosh', 'Mac OS Roman (Western European)'],
  ['windows-1250', 'Windows-1250 (Central European)'],
  ['iso-8859-2', 'ISO 8859-2 (Central European)'],
  ['windows-1257', 'Windows-1257 (Baltic)'],
  ['windows-1254', 'Windows-1254 (Turkish)'],
  ['windows-1251', 'Windows-1251 (Cyrillic)'],
  ['koi8-r', 'KOI8-R (Cyrillic)'],
  ['ibm866', 'IBM 866 (Cyrillic)'],
  ['windows-1253', 'Windows-1253 (Greek)'],
  ['windows-1255', 'Windows-1255 (Hebrew)'],
  ['windows-1256', 'Windows-1256 (Arabic)'],
  ['windows-874', 'Windows-874 (Thai)'],
  ['shift_jis', 'Shift_JIS (Japanese)'],
  ['euc-jp', 'EUC-JP (Japanese)'],
  ['gb18030', 'GB 18030 (Chinese, simplified)'],
  ['big5', 'Big5 (Chinese, traditional)'],
  ['euc-kr', 'EUC-KR (Korean)'],
];

/** The cells that were read, and the file that they came from if there was one. */
interface TableSource extends FileReading {
  file?: File;
  /** The index of the row that names the columns. null: every row is a page. */
  headerRow: number | null;
}

interface TableInputProps {
  /** The current table. */
  taken: { cells: string[][]; headerRow: number | null } | undefined;
  onTable: (table: TextTable, isNamed: boolean) => void;
  onLeave: () => void;
}

/**
 * Takes a table that a person pastes from a spreadsheet, or a file. Then shows what was read, and
 * lets the person correct how it was read.
 */
export function TableInput({ taken, onTable, onLeave }: TableInputProps) {
  const [source, setSource] = useState<TableSource>();
  const [problem, setProblem] = useState<string>();
  const takeSource = (readSource: TableSource) => {
    const table = tableFromCells(readSource.cells, readSource.headerRow);
    setProblem(typeof table === 'string' ? table : undefined);
    if (typeof table === 'string') return;
    setSource(readSource);
    onTable(table, readSource.headerRow !== null);
  };
  const takeText = (text: string) => {
    const cells = readCells(text);
    if (typeof cells === 'string') setProblem(cells);
    else takeSource({ cells, remarks: [], headerRow: findHeaderRow(cells) });
  };
  const takeFile = async (
    file: File | undefined,
    formerSource?: TableSource,
    encoding?: string,
  ) => {
    if (!file) return;
    const options = { encoding, language: navigator.language };
    // The scripts that read files may fail to load.
    const readSource = await readTableFile(file, options).catch((error: unknown) =>
      errorText(error),
    );
    if (typeof readSource === 'string') setProblem(readSource);
    else
      takeSource({
        ...readSource,
        file,
        headerRow: formerSource ? formerSource.headerRow : findHeaderRow(readSource.cells),
      });
  };
  const leaveTable = () => {
    setSource(undefined);
    setProblem(undefined);
    onLeave();
  };
  const currentSource: TableSource | undefined = source ?? (taken && { ...taken, remarks: [] });
  return (
    <div class="stack tight">
      {currentSource ? (
        <TableSummary
          source={currentSource}
          onEncoding={(encoding) => void takeFile(source?.file, source, encoding)}
          onHeaderRow={(headerRow) => takeSource({ ...currentSource, headerRow })}
          onLeave={leaveTable}
        />
      ) : (
        <PasteBox onText={takeText} onFile={(file) => takeFile(file)} />
      )}
      {problem && <Problem>{problem}</Problem>}
    </div>
  );
}

interface TableSummaryProps {
  source: TableSource;
  onEncoding: (encoding: string) => void;
  onHeaderRow: (headerRow: number | null) => void;
  onLeave: () => void;
}

/** Rows that may be chosen as the names of the columns. */
const HEADER_CHOICES = 6;
/** Characters of a row that a choice shows. */
const CHOICE_LENGTH = 60;

/** The first rows, to choose the one with the names of the columns. */
const headerChoices = (cells: string[][], headerRow: number | null): SelectChoice[] => [
  ...cells
    .slice(0, Math.max(HEADER_CHOICES, (headerRow ?? 0) + 1))
    .flatMap((row, rowIndex): SelectChoice[] =>
      isFilledRow(row) ? [[String(rowIndex), `Row ${rowIndex + 1}: ${rowSummary(row)}`]] : [],
    ),
  ['null', 'None: every row is a page'],
];

const rowSummary = (row: string[]) => row.filter(Boolean).join(', ').slice(0, CHOICE_LENGTH);

/** Shows what was read, and how. */
function TableSummary({ source, onEncoding, onHeaderRow, onLeave }: TableSummaryProps) {
  const { cells, file, sheet, encoding, headerRow, remarks } = source;
  const pageRows = cells.slice(headerRow === null ? 0 : headerRow + 1).filter(isFilledRow);
  return (
    <div class="stack">
      <div class="row spread">
        <span>
          <span class="strong">{countNoun(pageRows.length, 'row')}</span>
          <span class="muted"> · {countNoun(cells[0]?.length ?? 0, 'column')}</span>
          {file && <span class="muted over"> · {file.name}</span>}
          {sheet !== undefined && <span class="muted over">, {sheet}</span>}
        </span>
        <Button little onClick={onLeave}>
          Another table
        </Button>
      </div>
      <div class="panes">
        <SelectField
          label="Which row names the columns?"
          hint="This row and the rows above it do not become pages."
          value={String(headerRow)}
          choices={headerChoices(cells, headerRow)}
          onChange={(chosenRow) => onHeaderRow(chosenRow === 'null' ? null : Number(chosenRow))}
        />
        {encoding !== undefined && (
          <SelectField
            label="Read as"
            hint="If letters look wrong, choose another encoding."
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

interface PasteBoxProps extends FileInputProps {
  onText: (text: string) => void;
}

function PasteBox({ onText, onFile }: PasteBoxProps) {
  const [text, setText] = useState('');
  const onPaste = (event: ClipboardEvent) => {
    const pastedText = event.clipboardData?.getData('text/plain') ?? '';
    if (text !== '' || !pastedText.includes('\n')) return;
    event.preventDefault();
    setText(pastedText);
    onText(pastedText);
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

interface FileInputProps {
  onFile: (file: File | undefined) => Promise<unknown>;
}

/** The field is emptied after each choice, so that the same file can be chosen again. */
const FileButton = ({ onFile }: FileInputProps) => (
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

function DropZone({ onFile, children }: FileInputProps & { children: ComponentChildren }) {
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
