import { normalizeText } from '../contract/normalizeText.ts';
import { wordSet } from './wordLists.ts';

/** English names of the days of the week, from Monday, as in structured data (schema.org). */
export const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The codes of the days in schema.org's `openingHours`, from Monday. */
const CODES = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

/**
 * Patterns of folded names of weekdays, from Monday: English, German, and the long names of French,
 * Spanish, Italian, Portuguese, Dutch and the Scandinavian languages, and the short ones of most.
 */
const NAMES = [
  'mo|ma|lun|mon|mondays?|montags?|lundis?|lunes|lunedi|segundas?|maandag(?:en)?|m[ao]ndag(?:e|en|er|ar)?',
  'di|mar|tue|tues|tuesdays?|dienstags?|mardis?|martes|martedi|tercas?|dinsdag(?:en)?|ti[rs]s?dag(?:e|en|er|ar)?',
  'mi|wo|mer|mie|wed|wednesdays?|mittwochs?|mercredis?|miercoles|mercoledi|quartas?|woensdag(?:en)?|onsdag(?:e|en|er|ar)?',
  'do|jeu|jue|gio|thu|thur|thurs|thursdays?|donnerstags?|jeudis?|jueves|giovedi|quintas?|donderdag(?:en)?|torsdag(?:e|en|er|ar)?',
  'fr|vr|ven|vie|fri|fridays?|freitags?|vendredis?|viernes|venerdi|sextas?|vrijdag(?:en)?|fredag(?:e|en|er|ar)?',
  'sa|za|sam|sab|sat|saturdays?|samstags?|sonnabends?|samedis?|sabados?|sabat[oi]|zaterdag(?:en)?|l[oø]rdag(?:e|en|er|ar)?',
  'so|su|zo|dim|dom|sun|sundays?|sonntags?|dimanches?|domingos?|domenic(?:a|he)|zondag(?:en)?|s[oø]ndag(?:e|en|er|ar)?',
].map((names) => new RegExp(`^(?:${names})$`));
const SETS: [RegExp, number[]][] = [
  [/^(?:daily|taglich|everyday)$/, [0, 1, 2, 3, 4, 5, 6]],
  [/^(?:weekdays?|werktags)$/, [0, 1, 2, 3, 4]],
  [/^(?:weekends?|wochenende[ns]?|helg(?:en|er)?)$/, [5, 6]],
];
const TO = wordSet('- – — to until till through bis au a al ate til tot t/m');
const AND = wordSet(', & + / and as plus und sowie et y e ed en og och');
/** Words between `and` and a day: `le samedi et le dimanche`, `every Saturday and every Sunday`. */
const ARTICLES = wordSet(`
  on every each the well am an den der die jeden le la les chaque el los las cada il lo i gli ogni o os as
  aos no na de het elke op pa`);

export interface DaysAt {
  /** Sorted weekdays, 0 for Monday. Empty if the text does not begin with days. */
  days: number[];
  /** The remaining text. */
  rest: string;
}

/**
 * Reads the weekdays at the beginning of a text: `Monday to Friday 9:00 - 17:30`, `Mo, Mi und Fr:
 * 9–17 Uhr`, `lundi au vendredi`.
 */
export function daysAt(text: string): DaysAt {
  const days = new Set<number>();
  let [end, joint] = [0, ''];
  let last: number | undefined;
  for (const { 0: token, index } of text.matchAll(
    /[\p{L}\p{M}]+(?:-feiras?(?![\p{L}\p{M}]))?|[-–—,&+/]|[^\p{L}\s]/giu,
  )) {
    const word = folded(token);
    const isExpected = days.size === 0 || joint !== '';
    const set = SETS.find(([name]) => name.test(word))?.[1];
    const day = NAMES.findIndex((names) => names.test(word));
    if (isExpected && (set || day !== -1)) {
      const from = TO.has(joint) && last !== undefined ? last : day;
      for (const own of set ?? daysFrom(from, day)) days.add(own);
      [last, joint, end] = [set ? undefined : day, '', index + token.length];
    } else if (days.size > 0 && joint === '' && (TO.has(word) || AND.has(word))) joint = word;
    else if (!(token === '.' && days.size > 0) && !(joint !== '' && ARTICLES.has(word))) break;
  }
  return { days: [...days].sort(), rest: text.slice(end).replace(/^[\s:,.–-]+/u, '') };
}

/** A folded name without the second part of Portuguese names: `segunda-feira`. */
const folded = (token: string) =>
  normalizeText(token, 'NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/-feiras?$/, '');

/** The days of a range, which may continue past Sunday. */
export const daysFrom = (from: number, to: number): number[] =>
  Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, i) => (from + i) % 7);

export const isSameDays = (a: number[], b: number[]) =>
  a.length === b.length && a.every((day, i) => day === b[i]);

/** Like `daysAt`, and reads the codes of schema.org too: `Mo-Fr 09:00-17:00`. */
export const codedDaysAt = (text: string): DaysAt =>
  daysAt(text.replace(/\b(?:Tu|We|Th)\b/g, (code) => DAYS[CODES.indexOf(code)]!));

/** The codes of sorted days: `Mo-Fr`, `Sa,Su`. */
export const dayCodes = (days: number[]): string =>
  days.length > 2 && days.at(-1)! - days[0]! === days.length - 1
    ? `${CODES[days[0]!]}-${CODES[days.at(-1)!]}`
    : days.map((day) => CODES[day]).join(',');

/** English names of sorted days for people: `Monday to Friday`, `Saturday, Sunday`. */
export const dayNames = (days: number[]): string =>
  days.length > 2 && days.at(-1)! - days[0]! === days.length - 1
    ? [DAYS[days[0]!], DAYS[days.at(-1)!]].join(' to ')
    : days.map((day) => DAYS[day]).join(', ');
