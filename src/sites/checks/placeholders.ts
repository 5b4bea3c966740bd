/** Placeholders that programs and writers leave for a missing text. They are always wrong. */
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
 * Words that are only wrong as a whole text, between two punctuation marks, or instead of a name at
 * the end, as in "Hello undefined". "undefined behaviour" is normal English.
 */
const emptyPatterns = [
  /(?:^| )(?:at|in|near|[Cc]all|[Dd]ear|[Hh]ello|[Hh]i|[Vv]isit) (undefined|NaN|null)$/,
  /^(undefined|NaN|null|TODO|FIXME)$/,
  /^(lorem ipsum)\b/i,
];
/** Matches whenever one of the patterns above could, to skip most texts quickly. */
const quickPattern = /[{[$]|<%|undefined|NaN|null|TODO|FIXME|lorem/i;
const punctuation = /[|·•–—:;,!?()"“”]|\.(?:\s|$)| - /;

/** The placeholders in a text, in lower case: "Welcome to {{city}}" → `{{city}}`. */
export function placeholdersInText(text: string): string[] {
  if (!quickPattern.test(text)) return [];
  const matches = leftovers.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([match]) => match),
  );
  return [...matches, ...text.split(punctuation).flatMap(emptyValue)].map((match) =>
    match.toLowerCase(),
  );
}

const emptyValue = (piece: string): string[] =>
  emptyPatterns.flatMap((pattern) => pattern.exec(piece.trim())?.slice(1) ?? []);
