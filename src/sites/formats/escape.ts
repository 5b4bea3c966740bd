import { collapseSpaces } from '../../text/text.ts';

/** Whether a text is only ASCII white space (HTML standard). A no-break space is not. */
export const isBlank = (text: string) => !/[^ \t\n\f\r]/.test(text);

/** The ASCII white space before a position. */
export function spaceBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && isBlank(text[start - 1]!)) start--;
  return text.slice(start, end);
}

/**
 * Makes a text valid for HTML: well-formed, line ends as `\n`, without control characters that a
 * page must not have.
 */
export const validHtmlText = (text: string) =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]/g, '');

/** Makes a text one valid line: `validHtmlText` without line breaks and needless white space. */
export const validHtmlLine = (text: string) => collapseSpaces(validHtmlText(text)).trim();

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\u00a0': '&nbsp;',
};

/** Escapes text between tags, and in `title` (HTML standard, "escaping a string"). */
export const escapeText = (text: string) =>
  text.replace(/[&<>\u00a0]/g, (character) => escapes[character] ?? character);

/** Escapes a text for an attribute value in these quotes. */
export const escapeAttribute = (text: string, quote: '"' | "'") =>
  escapeText(text).replaceAll(quote, quote === '"' ? '&quot;' : '&#39;');

/**
 * A JSON literal that is safe in a `script` element: it never contains `<`, so neither `</script>`
 * nor `<!--`.
 */
export const jsonLiteral = (value: unknown) =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
