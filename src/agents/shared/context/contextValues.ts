import type { ContextData, ContextSection } from './contextData.ts';

/** A single value of a context. `owner` is the key or heading above it. */
export interface ContextValue {
  owner: string;
  text: string;
}

/** Lists all values of a context, one by one, to find out which of them a page shows. */
export const listContextValues = ({
  fields,
  sections,
  paragraphs,
}: ContextData): ContextValue[] => [
  ...fields.flatMap(({ key, values }) => values.map((text) => ({ owner: key, text }))),
  ...paragraphs.map((text) => ({ owner: 'text', text })),
  ...sections.flatMap((section) => listSectionValues(section.name, section)),
];

function listSectionValues(
  owner: string,
  { heading, paragraphs, items, sections, fields = [], name }: ContextSection,
): ContextValue[] {
  const ownTexts = [...paragraphs, ...items, ...fields.flatMap(({ values }) => values)];
  const ownHeading = heading !== null && name !== owner ? [heading] : [];
  const innerValues = sections.flatMap((section) => listSectionValues(owner, section));
  return [...[...ownHeading, ...ownTexts].map((text) => ({ owner, text })), ...innerValues];
}
