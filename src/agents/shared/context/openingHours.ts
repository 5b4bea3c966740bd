import { upperFirst } from '../text/letterCase.ts';
import { foldWords } from '../text/foldText.ts';
import { findSlotFacts, isClosedText, textSlot } from '../facts/findFacts.ts';
import type { ContextData, ContextSection } from './contextData.ts';
import { factKeys, findField } from './contextKeys.ts';

/**
 * The opening hours of a context, as they are written there: the values of a key for hours, or else
 * the lines of a section for hours.
 * @param lists sections that already became members of a group, such as cards
 */
export function readOpeningHours(
  context: ContextData,
  lists: ReadonlySet<ContextSection>,
): string[] {
  const keyedHours = findField(context, factKeys.hours)?.values;
  const section = context.sections.find(
    (candidate) => isHoursSection(candidate) && !lists.has(candidate),
  );
  return keyedHours ?? (section ? listSectionLines(section) : []);
}

/** Whether a section for opening hours has only lines with times. */
export function isHoursSection(section: ContextSection): boolean {
  const lines = factKeys.hours.includes(foldWords(section.name)) ? listSectionLines(section) : [];
  return lines.length > 0 && lines.every(saysHours);
}

const saysHours = (line: string) =>
  findSlotFacts(textSlot(line)).some(({ kind }) => kind === 'hours') ||
  isClosedText(line.split(': ').at(-1)!);

const listSectionLines = ({
  paragraphs,
  items,
  sections,
  fields = [],
}: ContextSection): string[] => [
  ...paragraphs,
  ...items,
  ...sections.map(
    (innerSection) => `${innerSection.name}: ${listSectionLines(innerSection).join(', ')}`,
  ),
  ...fields.map(({ key, values }) => `${upperFirst(key)}: ${values.join(', ')}`),
];
