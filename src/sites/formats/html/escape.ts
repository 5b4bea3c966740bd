import { collapse } from '../../../text/text.ts';

/** White space of HTML (the standard's "ASCII whitespace"): a no-break space is none. */
export const isBlank = (text: string) => !/[^ \t\n\f\r]/.test(text);

/** The white space of HTML that ends at a position. */
export function spaceBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && isBlank(text[start - 1]!)) start--;
  return text.slice(start, end);
}

/**
 * A text as HTML can carry it: well-formed, line ends as `\n`, without the control characters that
 * a page must not hold.
 */
export const carriable = (text: string) =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]/g, '');

export const tidyLine = (text: string) => collapse(carriable(text)).trim();

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\u00a0': '&nbsp;',
};

/** Text between tags, and in `title` (HTML standard, "escaping a string"). */
export const escapeText = (text: string) => text.replace(/[&<>\u00a0]/g, (c) => escapes[c] ?? c);

/** A text inside an attribute's quotes. */
export const escapeAttribute = (text: string, quote: '"' | "'") =>
  escapeText(text).replaceAll(quote, quote === '"' ? '&quot;' : '&#39;');

/**
 * A JSON string literal that is safe inside a `script` element: `<` never appears, so neither
 * `</script>` nor `<!--` does.
 */
export const jsonLiteral = (value: unknown) =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
