import { upperFirst } from '../text/letterCase.ts';
import { foldWords } from '../text/fold.ts';
import { factsOf, isClosed, textSlot } from '../facts/findFacts.ts';
import type { ContextData, Section } from './contextData.ts';
import { factKeys, fieldNamed } from './contextKeys.ts';

/**
 * The opening hours of a context, as they are written: of a key for hours, or the lines of a
 * section for hours.
 * @param lists sections that already became members of a group
 */
export function givenHours(context: ContextData, lists: ReadonlySet<Section>): string[] {
  const named = fieldNamed(context, factKeys.hours)?.values;
  const section = context.sections.find((own) => isHoursSection(own) && !lists.has(own));
  return named ?? (section ? linesOf(section) : []);
}

/** Whether a section for opening hours has only lines with times. */
export function isHoursSection(section: Section): boolean {
  const lines = factKeys.hours.includes(foldWords(section.name)) ? linesOf(section) : [];
  return lines.length > 0 && lines.every(saysHours);
}

const saysHours = (line: string) =>
  factsOf(textSlot(line)).some(({ kind }) => kind === 'hours') ||
  isClosed(line.split(': ').at(-1)!);

const linesOf = ({ paragraphs, items, sections, fields = [] }: Section): string[] => [
  ...paragraphs,
  ...items,
  ...sections.map((own) => `${own.name}: ${linesOf(own).join(', ')}`),
  ...fields.map(({ key, values }) => `${upperFirst(key)}: ${values.join(', ')}`),
];
