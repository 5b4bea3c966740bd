import type { ContextData, Section } from './data.ts';
import { parseJson, parseYaml } from './objects.ts';

/** A value of a context, and the key or heading that it stands under. */
export interface Leaf {
  owner: string;
  text: string;
}

/** Every value that a context gives, as it is written there, whatever was read of it. */
export function leavesOf(context: ContextData): Leaf[] {
  const data = context.format === 'json' ? parseJson(context.source) : context.format === 'yaml' ? parseYaml(context.source) : null; // prettier-ignore
  if (data) return Object.entries(data).flatMap(([owner, value]) => leavesIn(owner, value));
  return [
    ...context.paragraphs.map((text) => ({ owner: 'text', text })),
    ...context.fields.flatMap(({ key, values }) => values.map((text) => ({ owner: key, text }))),
    ...context.sections.flatMap((section) => leavesOfSection(section.name, section)),
  ];
}

/** Deeper values are written by nobody. */
const DEEPEST = 100;

function leavesIn(owner: string, value: unknown, depth = 0): Leaf[] {
  if (value === null || value === undefined || depth > DEEPEST) return [];
  if (typeof value !== 'object') return [{ owner, text: String(value as string | number | boolean) }];
  return Object.values(value).flatMap((entry) => leavesIn(owner, entry, depth + 1));
}

function leavesOfSection(owner: string, { heading, paragraphs, items, sections, fields = [], name }: Section): Leaf[] {
  const own = [...paragraphs, ...items, ...fields.flatMap(({ values }) => values)];
  const named = heading !== null && name !== owner ? [heading] : [];
  const inner = sections.flatMap((section) => leavesOfSection(owner, section));
  return [...[...named, ...own].map((text) => ({ owner, text })), ...inner];
}
