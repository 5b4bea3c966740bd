import { capitalize } from '../words/noteWords.ts';

/** The table's words for the fields of an item of the API. */
const fieldWords: Record<string, string> = {
  targetPageSlug: 'address',
  context: 'text',
  templatePageSlug: 'template',
};
const itemReference = /items\[(\d{1,4})\](?:\.(targetPageSlug|context))?/g;
const linkingWords = 'the page that links to the new ones';
const messageLead = 'Invalid request body: ';

/**
 * A message of the API in the table's words: "row 12’s address" for `items[9].targetPageSlug`.
 * @param rows the request's rows
 * @param ownIndex index of the row beside which the message is shown. Its number is left out
 */
export function messageInRows(message: string, rows: { id: number }[], ownIndex?: number): string {
  const text = message.startsWith(messageLead) ? message.slice(messageLead.length) : message;
  const replacedText = text
    .replace(/^linkFrom(?=[ :])/, linkingWords)
    .replace(itemReference, (wholeMatch, index: string, fieldName?: string) => {
      const row = rows[Number(index)];
      if (!row) return wholeMatch;
      if (Number(index) === ownIndex) return `the ${fieldName ? fieldWords[fieldName] : 'row'}`;
      return fieldName ? `row ${row.id}’s ${fieldWords[fieldName]}` : `row ${row.id}`;
    });
  return replacedText === message ? message : capitalize(replacedText);
}

const fieldReference = /(?<![\w/"-])(targetPageSlug|context|templatePageSlug|linkFrom)(?![\w/"-])/g;

/**
 * Puts a message of a batch's check about a row into the table's words.
 * @param rows the request's rows
 */
export const messageInBatchRow = (message: string, rows: { id: number }[]): string =>
  capitalize(
    message
      .replace(fieldReference, (fieldName) =>
        fieldName === 'linkFrom' ? linkingWords : `the ${fieldWords[fieldName]}`,
      )
      .replace(/(?<=\bof row )\d{1,4}$/, (numberText) =>
        String(rows[Number(numberText) - 1]?.id ?? numberText),
      ),
  );
