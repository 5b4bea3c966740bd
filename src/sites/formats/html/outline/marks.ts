import { indexFrom, liesIn, outermost, type Range } from '../../../../text/range.ts';
import type { LocatedSection } from '../changes/sections.ts';
import type { Group } from '../groups/findGroups.ts';
import type { Line } from './outlineLines.ts';

/** A group or section, with the marks where it, or its members, begin. */
interface Block extends Range {
  id: string;
  starts: { at: number; text: string }[];
}

/**
 * Makes a function that returns the marks of groups and sections up to a position: `[g54.0]`,
 * `[/g54]`, `[/s60]`. Call it with the lines' positions in order. A section that begins with its
 * heading, or is a member of a group, has no mark for its begin.
 */
export function marksOf(
  lines: Line[],
  groups: Group[],
  sections: LocatedSection[],
): (position: number) => string {
  const body = lines.filter(({ part }) => part === 'body');
  const firstIn = ({ start }: Range) => body[indexFrom(body, start, (line) => line.start)];
  const members = outermost(groups.flatMap((group) => group.members));
  const isOfMember = (section: Range) => {
    const next = indexFrom(members, section.start + 1, ({ start }) => start);
    return next > 0 && liesIn(section, members[next - 1]!);
  };
  const own = sections.filter((section) => !isOfMember(section));
  const blocks = [
    ...groups.map(blockOfGroup),
    ...own.map((section) => blockOfSection(section, firstIn(section)?.id)),
  ].filter((block) => (firstIn(block)?.start ?? block.end) < block.end);
  return inOrder(blocks);
}

const blockOfGroup = ({ start, end, members, slotGroup: { id, pattern } }: Group): Block => ({
  id,
  start,
  end,
  starts: members.map((member, i) => ({
    at: member.start,
    text: `[${id}.${i}${i === pattern ? '*' : ''}]`,
  })),
});

const blockOfSection = ({ id, start, end }: LocatedSection, first: string | undefined): Block => ({
  id,
  start,
  end,
  starts: first === id ? [] : [{ at: start, text: `[${id}]` }],
});

/**
 * Ends come before starts at the same position, the inner ones first. Of members without lines
 * before a position, only the last one is marked.
 */
function inOrder(blocks: Block[]): (position: number) => string {
  const marks = blocks.flatMap(({ id, start, end, starts }) => [
    ...starts.map(({ at, text }) => ({ at, order: 1, inner: -end, key: id, text })),
    { at: end, order: 0, inner: -start, key: `/${id}`, text: `[/${id}]` },
  ]);
  marks.sort((a, b) => a.at - b.at || a.order - b.order || a.inner - b.inner);
  let next = 0;
  return (position) => {
    const passed = new Map<string, string>();
    for (; next < marks.length && marks[next]!.at <= position; next++) {
      const { key, text } = marks[next]!;
      passed.delete(key);
      passed.set(key, text);
    }
    return [...passed.values()].join('');
  };
}
