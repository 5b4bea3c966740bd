/** What the API calls parts of an item, in the words of the table. */
const parts: Record<string, string> = { targetPageSlug: 'address', context: 'text' };
const named = /items\[(\d{1,4})\](?:\.(targetPageSlug|context))?/g;
const linking = 'the page that links to the new ones';
const lead = 'Invalid request body: ';

/**
 * A message of the API in which items are rows: "row 12’s address" for `items[9].targetPageSlug`.
 * @param rows those of the request
 * @param own which of them the message stands at: it needs no number there
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
  return said === message ? message : said.charAt(0).toUpperCase() + said.slice(1);
}
