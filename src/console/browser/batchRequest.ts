import type { Asked } from '../../browser/http.ts';
import { BYTES_PER_BATCH, type Item } from './table.ts';

/** The body of POST /agent/batches. */
export interface BatchBody {
  siteId: string;
  rows: Item[];
}

/** What the service's CSV means by itself. */
const taken = new Set(['targetPageSlug', 'context', 'externalId', 'templatePageSlug', 'facts']);
const MOST_COLUMNS = 500;

/**
 * How a batch is asked for: as JSON, or as CSV where JSON would be too large. JSON repeats the
 * names of the columns in each row, so that a file just within the limit would be over it.
 */
export function batchAsked(body: BatchBody): Pick<Asked, 'query' | 'body' | 'csv'> {
  if (new Blob([JSON.stringify(body)]).size <= BYTES_PER_BATCH) return { body };
  const { rows, ...options } = body;
  const query = Object.fromEntries(
    Object.entries(options).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return { query, csv: csvOf(rows) };
}

/** The rows as CSV that the service reads as the same rows. */
export function csvOf(rows: Item[]): string {
  const contexts = rows.map(({ context }) => cellsIn(context));
  const names = columnsOf(contexts);
  const cellsOf = ({ context }: Item, at: number) =>
    names ? names.map((name) => contexts[at]!.get(name) ?? '') : [context];
  return [
    ['targetPageSlug', ...(names ?? ['context'])],
    ...rows.map((row, at) => [row.targetPageSlug, ...cellsOf(row, at)]),
  ]
    .map((cells) => cells.map(quoted).join(','))
    .join('\n');
}

/** The lines `name: value` of a context; '' names one that is none. */
function cellsIn(context: string): Map<string, string> {
  const lines = context.split('\n').map((line): [string, string] => {
    const at = line.indexOf(': ');
    return at === -1 ? ['', line] : [line.slice(0, at), line.slice(at + 2)];
  });
  const cells = new Map(lines);
  return cells.size === lines.length ? cells : new Map([['', context]]);
}

/** The columns of which all contexts are made; undefined where some is not. */
function columnsOf(contexts: Map<string, string>[]): string[] | undefined {
  const names = [...new Set(contexts.flatMap((cells) => [...cells.keys()]))];
  const places = new Map(names.map((name, at) => [name, at]));
  const isFit =
    names.length < MOST_COLUMNS &&
    names.every((name) => isPlain(name) && !taken.has(name)) &&
    contexts.every((cells) => {
      const own = [...cells].map(([name, value]) => [places.get(name)!, value] as const);
      return own.every(
        ([place, value], at) => isPlain(value) && (at === 0 || own[at - 1]![0] < place),
      );
    });
  return isFit ? names : undefined;
}

/** Whether the service leaves a name or value as it is. */
const isPlain = (text: string) => text !== '' && text.replaceAll(/\s+/g, ' ').trim() === text;

const quoted = (cell: string) =>
  /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
