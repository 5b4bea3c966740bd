import { foldWords } from '../../../text/fold.ts';
import type { SectionListing } from '../../../tools/sections.ts';
import type { Step } from '../plan.ts';
import { isCalled } from './meanings.ts';
import { listed, refuse, saying, type Call } from './calls.ts';

type Section = SectionListing[number];
const LEVEL_OF_SECTIONS = 2;

/** Takes out the only section, or the only table, that is meant. */
export function removeSection(sections: SectionListing, step: Extract<Step, { kind: 'remove-section' }>): Call[] {
  const { id } = sectionNamed(
    sections.filter(({ kind }) => kind === step.what),
    step.name,
    step,
  );
  return [{ name: 'remove_section', arguments: { slug: step.slug, id } }];
}

export function moveSection(sections: SectionListing, step: Extract<Step, { kind: 'move-section' }>): Call[] {
  const own = sections.filter(({ kind }) => kind === 'section');
  const [id, other] = [step.name, step.other].map((name) => sectionNamed(own, name, { ...step, what: 'section' }).id);
  return [{ name: 'move_section', arguments: { slug: step.slug, id, where: step.where, other } }];
}

/**
 * Ways to name a section, the strictest first: its whole heading, words of it, words that begin as its own do. A card in
 * a section is named by its whole heading only.
 */
const readings: ((name: string, heading: string, level: number) => boolean)[] = [
  (name, heading) => foldWords(heading) === foldWords(name),
  (name, heading, level) => isTop(level) && ` ${foldWords(heading)} `.includes(` ${foldWords(name)} `),
  (name, heading, level) => isTop(level) && isCalled(name, heading),
];
const isTop = (level: number) => level <= LEVEL_OF_SECTIONS;

function sectionNamed(sections: Section[], name: string, { slug, what }: { slug: string; what: string }): Section {
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
  const highest = found.reduce((least, { level }) => Math.min(least, level), Infinity);
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
  throw refuse(`${slug} has ${top.length} ${what}s that may be meant: ${listed(headings)}; say which`);
}
