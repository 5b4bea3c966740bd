import { foldWords } from '../../../shared/text/foldText.ts';
import type { SectionListing } from '../../../shared/tools/pageSections.ts';
import type { RulesEdit } from '../../../shared/tools/rulesCalls.ts';
import type { PromptStepOf } from '../promptSteps.ts';
import { createSiteCall } from './siteQueries.ts';
import { isHeadingCalled } from './matchNames.ts';
import { joinFirstNames, createInstructionError } from './instructionError.ts';
import { selectByText } from './findByText.ts';

type ListedSection = SectionListing[number];
const LOWEST_SECTION_LEVEL = 2;

/** Removes the only section or table that fits. A section: a part of a page with a heading. */
export function createRemoveSectionEdits(
  sections: SectionListing,
  step: PromptStepOf<'remove-section'>,
): RulesEdit[] {
  const { id } = findNamedSection(
    sections.filter(({ kind }) => kind === step.what),
    step.name,
    step,
  );
  return [createSiteCall('remove_section', { slug: step.slug, id })];
}

/** Moves a section before or after another one, or before or after all others of its level. */
export function createMoveSectionEdits(
  sections: SectionListing,
  step: PromptStepOf<'move-section'>,
): RulesEdit[] {
  const ownSections = sections.filter(({ kind }) => kind === 'section');
  const findByName = (name: string) =>
    findNamedSection(ownSections, name, { ...step, what: 'section' });
  const { id, level } = findByName(step.name);
  const isEnd = step.where === 'first' || step.where === 'last';
  const otherId = isEnd ? findSectionAtEnd(ownSections, level, step) : findByName(step.other!).id;
  const where = step.where === 'first' ? 'before' : step.where === 'last' ? 'after' : step.where;
  if (id === otherId && isEnd)
    throw createInstructionError(
      `"${step.name}" is already the ${step.where} section of ${step.slug}`,
    );
  return [createSiteCall('move_section', { slug: step.slug, id, where, other: otherId })];
}

/** The first or last section of a heading level. The section of the headline can't be moved. */
function findSectionAtEnd(
  sections: ListedSection[],
  level: number,
  { where, slug, name }: PromptStepOf<'move-section'>,
): string {
  const sectionsOfLevel = sections.filter((section) => section.level === level);
  const endSection = where === 'first' ? sectionsOfLevel[0] : sectionsOfLevel.at(-1);
  if (!isTopLevel(level) || level === HEADLINE_LEVEL || !endSection)
    throw createInstructionError(`"${name}" can't become the ${where} section of ${slug}`);
  return endSection.id;
}
const HEADLINE_LEVEL = 1;

/**
 * Ways in which a name may match a heading, the strictest first: the whole heading, some of its
 * words, words with the same beginnings. Lower headings, such as those of cards, must match as a
 * whole.
 */
const headingMatchers: ((name: string, heading: string, level: number) => boolean)[] = [
  (name, heading) => foldWords(heading) === foldWords(name),
  (name, heading, level) =>
    isTopLevel(level) && ` ${foldWords(heading)} `.includes(` ${foldWords(name)} `),
  (name, heading, level) => isTopLevel(level) && isHeadingCalled(name, heading),
];
const isTopLevel = (level: number) => level <= LOWEST_SECTION_LEVEL;

/** Finds the only section of the highest level whose heading fits a name. '' fits any heading. */
function findNamedSection(
  sections: ListedSection[],
  name: string,
  { slug, what }: { slug: string; what: string },
): ListedSection {
  const exactMatches = sections.filter(
    (section) => selectByText([section.name, section.above ?? ''], name, (text) => text).length > 0,
  );
  const matchingSections =
    name === ''
      ? sections
      : exactMatches.length > 0
        ? exactMatches
        : (headingMatchers
            .map((matchesHeading) =>
              sections.filter(({ name: heading, above = '', level }) =>
                [heading, above].some((text) => matchesHeading(name, text, level)),
              ),
            )
            .find(({ length }) => length > 0) ?? []);
  const highestLevel = Math.min(...matchingSections.map(({ level }) => level));
  const topSections = matchingSections.filter(({ level }) => level === highestLevel);
  const [onlySection] = topSections;
  if (
    onlySection &&
    (topSections.length === 1 || (exactMatches.length === 1 && isTopLevel(onlySection.level)))
  )
    return onlySection;
  const mainSections = sections.filter(({ level }) => isTopLevel(level));
  const namedSections =
    matchingSections.length > 0
      ? matchingSections
      : mainSections.length > 0
        ? mainSections
        : sections;
  const headings = namedSections.map((section) => `"${section.name}"`);
  if (!onlySection)
    throw createInstructionError(
      `${slug} has no ${what} "${name}": it has ${headings.length > 0 ? joinFirstNames(headings) : `no ${what}s`}`,
    );
  throw createInstructionError(
    `${slug} has ${topSections.length} ${what}s that fit: ${joinFirstNames(headings)}. Name one of them`,
  );
}
