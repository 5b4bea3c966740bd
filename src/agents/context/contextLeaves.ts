import type { ContextData, Section } from './contextData.ts';

/** A single value of a context. `owner` is the key or heading above it. */
export interface Leaf {
  owner: string;
  text: string;
}

/** All values of a context. */
export const leavesOf = ({ fields, sections, paragraphs }: ContextData): Leaf[] => [
  ...fields.flatMap(({ key, values }) => values.map((text) => ({ owner: key, text }))),
  ...paragraphs.map((text) => ({ owner: 'text', text })),
  ...sections.flatMap((section) => leavesOfSection(section.name, section)),
];

function leavesOfSection(
  owner: string,
  { heading, paragraphs, items, sections, fields = [], name }: Section,
): Leaf[] {
  const own = [...paragraphs, ...items, ...fields.flatMap(({ values }) => values)];
  const named = heading !== null && name !== owner ? [heading] : [];
  const inner = sections.flatMap((section) => leavesOfSection(owner, section));
  return [...[...named, ...own].map((text) => ({ owner, text })), ...inner];
}
