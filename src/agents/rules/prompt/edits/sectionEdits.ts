import { foldWords } from '../../../text/fold.ts';
import type { SectionListing } from '../../../tools/sections.ts';
import type { Edit } from '../../../siteCalls.ts';
import type { StepOf } from '../planSteps.ts';
import { call } from './askSite.ts';
import { isCalled } from './namingWords.ts';
import { listed, refuse } from './refuse.ts';
import { saying } from './slotTexts.ts';

type Section = SectionListing[number];
const LEVEL_OF_SECTIONS = 2;

/** Removes the only section or table that fits. */
export function removeSection(sections: SectionListing, step: StepOf<'remove-section'>): Edit[] {
  const { id } = sectionNamed(
    sections.filter(({ kind }) => kind === step.what),
    step.name,
    step,
  );
  return [call('remove_section', { slug: step.slug, id })];
}

export function moveSection(sections: SectionListing, step: StepOf<'move-section'>): Edit[] {
  const own = sections.filter(({ kind }) => kind === 'section');
  const named = (name: string) => sectionNamed(own, name, { ...step, what: 'section' });
  const { id, level } = named(step.name);
  const isEnd = step.where === 'first' || step.where === 'last';
  const other = isEnd ? atEnd(own, level, step) : named(step.other!).id;
  const where = step.where === 'first' ? 'before' : step.where === 'last' ? 'after' : step.where;
  if (id === other && isEnd)
    throw refuse(`"${step.name}" is the ${step.where} section of ${step.slug} already`);
  return [call('move_section', { slug: step.slug, id, where, other })];
}

/**
 * The first or last section with headings of a level. The section of the headline can't be moved.
 */
function atEnd(
  sections: Section[],
  level: number,
  { where, slug, name }: StepOf<'move-section'>,
): string {
  const alike = sections.filter((section) => section.level === level);
  const found = where === 'first' ? alike[0] : alike.at(-1);
  if (!isTop(level) || level === HEADLINE || !found)
    throw refuse(`"${name}" is no section of ${slug} that could be the ${where} one`);
  return found.id;
}
const HEADLINE = 1;

/**
 * Ways in which a name may match a heading, the strictest first: the whole heading, some of its
 * words, words with the same beginnings. Lower headings, such as those of cards, must match as a
 * whole.
 */
const readings: ((name: string, heading: string, level: number) => boolean)[] = [
  (name, heading) => foldWords(heading) === foldWords(name),
  (name, heading, level) =>
    isTop(level) && ` ${foldWords(heading)} `.includes(` ${foldWords(name)} `),
  (name, heading, level) => isTop(level) && isCalled(name, heading),
];
const isTop = (level: number) => level <= LEVEL_OF_SECTIONS;

function sectionNamed(
  sections: Section[],
  name: string,
  { slug, what }: { slug: string; what: string },
): Section {
  const exact = sections.filter(
    (section) => saying([section.name, section.above ?? ''], name, (text) => text).length > 0,
  );
  const found =
    name === ''
      ? sections
      : exact.length > 0
        ? exact
        : (readings
            .map((fits) =>
              sections.filter(({ name: heading, above = '', level }) =>
                [heading, above].some((text) => fits(name, text, level)),
              ),
            )
            .find(({ length }) => length > 0) ?? []);
  const highest = Math.min(...found.map(({ level }) => level));
  const top = found.filter(({ level }) => level === highest);
  const [only] = top;
  if (only && (top.length === 1 || (exact.length === 1 && isTop(only.level)))) return only;
  const main = sections.filter(({ level }) => isTop(level));
  const named = found.length > 0 ? found : main.length > 0 ? main : sections;
  const headings = named.map((section) => `"${section.name}"`);
  if (!only)
    throw refuse(
      `${slug} has no ${what} "${name}"; ${headings.length > 0 ? `there are ${listed(headings)}` : 'it has none'}`,
    );
  throw refuse(
    `${slug} has ${top.length} ${what}s that may be meant: ${listed(headings)}; say which`,
  );
}
