import { foldWords } from '../text/fold.ts';
import type { ContextData, Field, Section } from './contextData.ts';
import { dayNames, daysAt } from '../../text/days.ts';
import { factsOf, isClosed, textSlot } from '../facts/findFacts.ts';
import { factKeys, fieldNamed } from './contextKeys.ts';

const LONGEST = 80;
const MOST_LINES = 14;

/** Whether a text is the hours of some days: `9–17`, `closed`. */
const isHours = (text: string) =>
  text.length <= LONGEST &&
  (isClosed(text) || factsOf(textSlot(text)).some(({ kind }) => kind === 'hours'));

/** Whether a field gives the hours of days: `Monday to Friday: 9–17`. */
export const isHoursField = ({ key, values }: Field): boolean =>
  daysOfKey(key).length > 0 && values.every(isHours);

/**
 * The opening hours of a context. Each begins with its days if the context names them. Sources: a
 * key for hours, keys that are days (`Saturday: closed`), or a section for hours.
 * @param lists sections that already became members of a group
 */
export function givenHours(context: ContextData, lists: ReadonlySet<Section>): string[] {
  const named = fieldNamed(context, factKeys.hours)?.values ?? [];
  const keyed = context.fields.filter(isHoursField).map(({ key, values }) => said(key, values));
  const listed = context.sections
    .filter((own) => isHoursSection(own) && !lists.has(own))
    .flatMap(linesOf);
  return [...named, ...keyed, ...listed];
}

/** Whether a section consists of days with their hours, and nothing else. */
export function isHoursSection(section: Section): boolean {
  const lines = factKeys.hours.includes(foldWords(section.name)) ? linesOf(section) : [];
  return (
    lines.length > 0 &&
    lines.length <= MOST_LINES &&
    lines.every((line) => daysAt(line).days.length > 0 && isHours(daysAt(line).rest))
  );
}

function linesOf({ paragraphs, items, sections, fields = [] }: Section): string[] {
  const keyed = fields.map(({ key, values }) =>
    daysOfKey(key).length > 0 ? said(key, values) : values.join(', '),
  );
  const inner = sections.flatMap((own) =>
    own.name === '' ? linesOf(own) : `${own.name}: ${linesOf(own).join(', ')}`,
  );
  return [...paragraphs, ...items, ...keyed, ...inner];
}

/**
 * The days of a folded key, which has lost its punctuation. Two words are a range (`mon fri` was
 * `Mon–Fri`); three or more are single days.
 */
function daysOfKey(key: string): number[] {
  const own = key.replace(PREFIX, '');
  const { days, rest } = daysAt(own);
  if (rest === '') return days;
  const each = own.split(' ').map((word) => daysAt(word));
  if (each.some(({ days, rest }) => days.length !== 1 || rest !== '')) return [];
  return daysAt(own.split(' ').join(each.length === 2 ? ' - ' : ', ')).days;
}

const PREFIX = new RegExp(`^(?:${factKeys.hours.join('|')}) `);

const said = (key: string, values: string[]) => `${dayNames(daysOfKey(key))}: ${values.join(', ')}`;
