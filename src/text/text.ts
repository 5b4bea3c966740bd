/*
 * Small functions for texts, used by all modules. This folder reads what people write: telephone
 * numbers (`telephone.ts`, `telephoneSpans.ts`, `dialling.ts`), prices (`currencies.ts`), times of
 * day (`timesOfDay.ts`), languages (`languageTag.ts`). And it compares texts: `findTextChanges.ts`
 * (what an edit changed), `ownShare.ts` and `similarity.ts` (how alike two texts are). Positions
 * and lines are in `textRange.ts` and `sourceLines.ts`. For example,
 * `timesIn('Open 9 am – 5.30 pm')` → 540 and 1050 minutes.
 */

/** Whether a text contains a letter or a number. Bullets, arrows and stars do not count. */
export const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** Whether readers see nothing of a text: white space and invisible characters only. */
export const showsNothing = (text: string) =>
  !/[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

/** Replaces each run of white space with one space. Keeps no-break spaces. */
export const collapseSpaces = (text: string) => text.replace(/[ \t\n\f\r]+/g, ' ');

/** Whether a text is an e-mail address that a `mailto:` link can contain without encoding. */
export const isMailbox = (text: string) =>
  /^[^\s@<>?&%]+@[^\s@<>?&%/][^\s@<>?&%/.]*\.[^\s@<>?&%/]+$/.test(text);

/** The digits of a text, without all other characters: `+351 21` → `35121`. */
export const digitsOf = (text: string) => text.replace(/\D/g, '');

/**
 * The text of a spreadsheet's cell. `="+351 289 000 000"`, `=T("…")` and `'+351 289 000 000` keep a
 * spreadsheet from reading a text as a number or a formula; programs export cells in this form.
 */
export function cellText(cell: string): string {
  const formula = /^=\s*(?:T\()?"((?:[^"]|"")*)"\)?(?:&"")?$/i.exec(cell.trim());
  if (formula) return formula[1]!.replaceAll('""', '"');
  return cell.replace(/^\s*=(?=\+?\d[\d ]*$)|^\s*'(?=[+=@0-][^']*$)/, '');
}

/** Cuts a text to `longest` characters. A cut text ends with `…`. */
export const truncateText = (text: string, longest: number) =>
  text.length > longest ? `${text.slice(0, longest - 1).toWellFormed()}…` : text;

/** Quotes a page's text for a message: cut, and without invisible characters. */
export const quoteText = (text: string, longest = 60) =>
  `"${truncateText(text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ''), longest)}"`;

/** A page's text for one line of an answer: line breaks and control characters become spaces. */
export const asOneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

/** Lines without other line ends than `\n`, and without control characters but tabs. */
export const plainLines = (text: string) =>
  text.replace(/\r\n?|[^\P{Cc}\n\t]|[\p{Zl}\p{Zp}]/gu, ' ');
