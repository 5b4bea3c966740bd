import { NUMBER as AMOUNT, SIGN, UNIT } from '../text/money.ts';

/** Names of the kinds of facts, for people. */
export const factLabels = {
  email: 'e-mail address',
  telephone: 'telephone number',
  address: 'address',
  coordinates: 'coordinates',
  date: 'date',
  hours: 'opening hours',
  price: 'price',
  rating: 'rating',
  reviews: 'number of reviews',
};
export type FactKind = keyof typeof factLabels;

const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?';
const MONAT =
  '(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)';
const DAY = '(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?s?\\.?';
const TAG =
  '(?:(?:Mon|Diens|Donners|Frei|Sams|Sonn)tags?|Mittwochs?|Sonnabends?|Mo|Di|Mi|Do|Fr|Sa|So)\\.?';
const DAYS = `(?:${DAY}|${TAG})`;
/** Whether a text begins with a day of the week. */
export const beginsWithDay = (text: string): boolean =>
  new RegExp(`^${DAYS}(?!\\p{L})`, 'iu').test(text);
const TIME =
  '(?:\\d{1,2}[:.]\\d{2}(?:\\s?(?:[ap]m\\b|[ap]\\.m\\.))?|\\d{1,2}\\s?(?:[ap]m\\b|[ap]\\.m\\.)|noon\\b|midday\\b|midnight\\b)';
const HEURE = '(?:[01]?\\d|2[0-4])\\s?h(?:\\s?[0-5]\\d)?';
const UHR = '\\d{1,2}(?:[:.]\\d{2})?';
const DASH = '\\s?(?:[-–—]|to|until|till|bis)\\s?';
/** English words for a street at the end of its name. */
export const SUFFIX =
  '(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Way|Court|Ct|Square|Sq|Place|Pl|Plaza|Parkway|Pkwy|Highway|Hwy|Terrace|Row|Quay|Wharf|Crescent|Close|Alley|Circle|Trail)';
const NAME = "[\\p{Lu}\\d][\\p{L}\\p{M}\\d'’.-]{0,40}";
const BRITISH = '[A-Z]{1,2}\\d[A-Z\\d]?\\s?\\d[A-Z]{2}\\b';
const ZIP = `(?:(?:[A-Z]{2}\\s+)?(?:\\d{5}(?:-\\d{4})?|[A-Z]\\d[A-Z]\\s?\\d[A-Z]\\d)\\b|${BRITISH})`;
/** A postal code and town in the street's line: `, 50667 Köln`, `, 4050-262 Porto`. */
const TOWN = `(?:,?[^\\S\\n]+(?:[A-Z]{1,2}-)?(?:\\d{4}-\\d{3}|\\d{4,5})\\s+${NAME}(?:\\s${NAME}){0,2})?`;
/** A house number behind the street. */
const NUMBER = '\\s+\\d{1,4}(?:\\s?[a-z]\\b|\\b)';
const REST = `(?:,?\\s+(?:Suite|Ste|Unit|Floor|Fl|Apt|Room|#)\\.?\\s?[\\p{L}\\d-]+)?(?:,\\s+${NAME}(?:\\s${NAME}){0,2}(?=,|\\s+[A-Z]{2}\\s+[A-Z]?\\d|\\s+${BRITISH}|\\s*$))?(?:,?\\s+${ZIP})?`;
const any = (...sources: string[]) => sources.map((source) => new RegExp(source, 'gu'));
const anyCase = (...sources: string[]) => sources.map((source) => new RegExp(source, 'giu'));

/**
 * Patterns of facts in running text, by kind. If kinds overlap, the first one takes the span.
 * Telephone numbers, which have no pattern, come last.
 */
export const factPatterns: [FactKind, RegExp[]][] = [
  [
    'email',
    any(
      '(?<![\\p{L}\\p{N}._%+-])[\\p{L}\\p{N}._%+-]{1,64}@[\\p{L}\\p{N}-]{1,63}(?:\\.[\\p{L}\\p{N}-]{1,63}){1,8}',
    ),
  ],
  [
    'coordinates',
    any(
      '-?\\d{1,3}\\.\\d{3,}\\s?°?\\s?[NS]?[,;]?\\s+-?\\d{1,3}\\.\\d{3,}\\s?°?\\s?[EW]?',
      '\\d{1,3}°\\s?\\d{1,2}[′\'](?:\\s?[\\d.]+[″"])?\\s?[NSEW]',
    ),
  ],
  [
    'date',
    any(
      `\\b\\d{1,2}(?:st|nd|rd|th)?\\s+${MONTH},?\\s+\\d{4}\\b`,
      `\\b${MONTH}\\s+\\d{1,2}(?:st|nd|rd|th)?,?\\s+\\d{4}\\b`,
      `\\b${MONTH}\\s+\\d{4}\\b`,
      `\\b(?:\\d{1,2}\\.\\s*)?${MONAT}\\s+\\d{4}\\b`,
      '\\b\\d{4}-\\d{2}-\\d{2}\\b',
      '\\b\\d{1,2}[./]\\d{1,2}[./]\\d{4}\\b',
      '(?<=\\b(?:[Ss]ince|[Ff]ounded in|[Ee]stablished in|[Ee]stablished|[Oo]pened in|[Ee]st\\.|[Ss]eit|[Gg]egründet|[Ee]röffnet)\\s)(?:19|20)\\d{2}\\b',
    ),
  ],
  [
    'hours',
    anyCase(
      `\\b${DAYS}(?:${DASH}${DAYS})?,?:?\\s+(?:from\\s+|von\\s+)?(?:${TIME}|\\d{1,2})${DASH}${TIME}(?:\\s?Uhr\\b)?`,
      `\\b${DAYS}(?:${DASH}${DAYS})?,?:?\\s+(?:closed|geschlossen)\\b`,
      `(?:\\b${DAYS}(?:${DASH}${DAYS})?,?:?\\s+(?:von\\s+)?)?(?<![\\d.,:])${UHR}(?:\\s?Uhr)?${DASH}${UHR}\\s?Uhr\\b`,
      `\\b${DAY}(?:${DASH}${DAY})?,?:?\\s+(?:from\\s+)?\\d{1,2}${DASH}\\d{1,2}\\b(?![.,:%]?\\d|\\s?[%€$£])`,
      `(?<![\\d.])(?:${TIME}|\\d{1,2})${DASH}${TIME}`,
      `(?<![\\d.,:])${HEURE}(?:${DASH}|\\s(?:à|a|às|al|e)\\s)${HEURE}(?![\\p{L}\\d])`,
    ),
  ],
  [
    'address',
    any(
      `\\b\\d{1,5}[A-Za-z]?\\s+(?:[NSEW]\\.?\\s+)?(?:${NAME}\\s+){1,4}${SUFFIX}\\b\\.?(?:\\s(?:North|South|East|West|[NSEW]{1,2})\\b)?${REST}`,
      `\\b(?:Rua|Avenida|Av\\.|Calle|Carrer|Via|Viale|Piazza|Rue|Boulevard|Praça|Plaza|Paseo)\\s+(?:d[aeo]s?\\s+|de la\\s+|della\\s+)?${NAME}(?:\\s+(?:d[aeo]s?\\s+)?${NAME}){0,4},?\\s+\\d{1,5}\\p{L}?\\b${TOWN}`,
      `(?<![\\p{L}\\d])\\p{Lu}\\p{L}{1,40}(?:straße|strasse|str\\.|gasse|allee|platz|weg|damm|ufer|ring|markt)${NUMBER}${TOWN}`,
      `(?<![\\p{L}\\d])\\p{Lu}\\p{L}{1,40}(?:-\\p{L}{1,40}){0,4}[\\s-](?:Straße|Strasse|Str\\.|Gasse|Allee|Platz|Weg|Damm|Ufer|Ring|Markt)${NUMBER}${TOWN}`,
      `(?<![\\p{L}\\d])\\p{Lu}\\p{L}{1,40}(?:[\\s-]\\p{L}{1,40}){0,3}${NUMBER}(?:,?[^\\S\\n]+(?:[A-Z]{1,2}-)?\\d{5}\\s+${NAME}|(?=,?\\n(?:[A-Z]{1,2}-)?\\d{5}\\s+\\p{Lu}))`,
      `\\b${NAME}(?:\\s${NAME}){0,2},\\s+[A-Z]{2}\\s+${ZIP}`,
      `(?<=\\n)(?:(?:[A-Z]{1,2}-)?(?:\\d{4}-\\d{3}|\\d{4,5})\\s+${NAME}(?:\\s${NAME}){0,2}|${NAME}(?:\\s${NAME}){0,2},?\\s+${BRITISH})(?=\\n|$)`,
    ),
  ],
  [
    'price',
    any(
      `${SIGN}\\s?${AMOUNT}(?:\\s?[–-]\\s?(?:${SIGN}\\s?)?${AMOUNT})?`,
      `(?<![\\p{L}\\d])${AMOUNT}\\s?${UNIT}`,
    ),
  ],
  [
    'rating',
    any(
      '\\b\\d(?:[.,]\\d{1,2})?(?=\\s?(?:out of|of|von|sur|de|su|/)\\s?5\\b)',
      '\\b\\d(?:[.,]\\d{1,2})?(?=[\\s-]?(?:★|⭐|stars?\\b|Sterne\\b))',
      '(?<=[★⭐☆]\\s?|\\b(?:[Rr]ated|[Rr]ating:?|[Ss]core:?)\\s)[0-5][.,]\\d{1,2}\\b',
    ),
  ],
  [
    'reviews',
    any(
      '\\b\\d[\\d,.]{0,12}\\+?(?=\\s(?:\\p{L}{1,20}\\s)?(?:reviews?|ratings?|testimonials|Bewertungen|Rezensionen)\\b)',
      '(?<=\\bout of 5 (?:by|from) )\\d[\\d,]*',
    ),
  ],
];

/** Facts by their path in structured data (schema.org's property names). */
export const jsonFacts: [path: RegExp, kind: FactKind][] = [
  [/(?:^|\.)(?:telephone|faxNumber)(?:\[\d+\])?$/, 'telephone'],
  [/(?:^|\.)email$/, 'email'],
  [
    /(?:^|\.)(?:streetAddress|address(?:Locality|Region|Country(?:\.name)?)?|postalCode)$/,
    'address',
  ],
  [/(?:^|\.)(?:openingHours(?:\[\d+\])?|opens|closes)$/, 'hours'],
  [/(?:^|\.)(?:price|priceRange|lowPrice|highPrice)$/, 'price'],
  [/(?:^|\.)ratingValue$/, 'rating'],
  [/(?:^|\.)(?:reviewCount|ratingCount)$/, 'reviews'],
  [/(?:^|\.)(?:date\w+|startDate|endDate|foundingDate|valid\w+)$/, 'date'],
  [/(?:^|\.)(?:latitude|longitude)$/, 'coordinates'],
];
