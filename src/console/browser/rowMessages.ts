/** The table's words for what the API calls the parts of an item. */
const parts: Record<string, string> = {
  targetPageSlug: 'address',
  context: 'text',
  templatePageSlug: 'template',
};
const named = /items\[(\d{1,4})\](?:\.(targetPageSlug|context))?/g;
const linking = 'the page that links to the new ones';
const lead = 'Invalid request body: ';

/**
 * A message of the API in the table's words: "row 12’s address" for `items[9].targetPageSlug`.
 * @param rows the request's rows
 * @param own index of the row beside which the message stands: its number is left out
 */
export function inRows(message: string, rows: { id: number }[], own?: number): string {
  const text = message.startsWith(lead) ? message.slice(lead.length) : message;
  const said = text
    .replace(/^linkFrom(?=[ :])/, linking)
    .replace(named, (whole, index: string, part?: string) => {
      const row = rows[Number(index)];
      if (!row) return whole;
      if (Number(index) === own) return `the ${part ? parts[part] : 'row'}`;
      return part ? `row ${row.id}’s ${parts[part]}` : `row ${row.id}`;
    });
  return said === message ? message : capitalized(said);
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const field = /(?<![\w/"-])(targetPageSlug|context|templatePageSlug|linkFrom)(?![\w/"-])/g;

/**
 * What a batch's check says of a row's request, in the table's words.
 * @param rows the request's rows
 */
export const inBatchRow = (message: string, rows: { id: number }[]): string =>
  capitalized(
    message
      .replace(field, (name) => (name === 'linkFrom' ? linking : `the ${parts[name]}`))
      .replace(/(?<=\bof row )\d{1,4}$/, (number) =>
        String(rows[Number(number) - 1]?.id ?? number),
      ),
  );
