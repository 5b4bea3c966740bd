/**
 * What programs and writers leave where a text should have come: each is wrong wherever it stands.
 */
const leftovers = [
  /\{\{[^{}]{0,80}\}\}/g,
  /\{%[^{}%]{0,80}%\}/g,
  /<%[^<>%]{0,80}%>/g,
  /\$\{[\w.]{1,60}\}/g,
  /\[object [A-Z]\w{0,20}\]/g,
  /\blorem ipsum dolor\b/gi,
  /\[(?:your|insert|enter) [^[\]]{1,60}\]/gi,
  /\[(?:(?:FIRST |LAST |COMPANY |BUSINESS )?NAME|CITY|COMPANY|ADDRESS|PHONE|EMAIL|DATE|PRICE|URL)\]/g,
  /\[(?:TODO|FIXME|PLACEHOLDER)\b[^[\]]{0,80}\]/gi,
  /\b(?:TODO|FIXME):/g,
];

/**
 * Words that are wrong only as a whole text, as all that stands between two marks, or where a name
 * should stand at their end: "undefined behaviour" is English, and studios promise to write "no
 * lorem ipsum".
 */
const empty = [
  /(?:^| )(?:at|in|near|[Cc]all|[Dd]ear|[Hh]ello|[Hh]i|[Vv]isit) (undefined|NaN|null)$/,
  /^(undefined|NaN|null|TODO|FIXME)$/,
  /^(lorem ipsum)\b/i,
];
/** What stands in each of them. Most texts have none of it, and need no more than one look. */
const hint = /[{[$]|<%|undefined|NaN|null|TODO|FIXME|lorem/i;
const marks = /[|·•–—:;,!?()"“”]|\.(?:\s|$)| - /;

/** The placeholders in a text, in lower case. */
export function placeholdersIn(text: string): string[] {
  if (!hint.test(text)) return [];
  const found = leftovers.flatMap((pattern) => [...text.matchAll(pattern)].map(([match]) => match));
  return [...found, ...text.split(marks).flatMap(emptyValue)].map((match) => match.toLowerCase());
}

const emptyValue = (piece: string): string[] =>
  empty.flatMap((pattern) => pattern.exec(piece.trim())?.slice(1) ?? []);
