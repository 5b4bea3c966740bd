import { dirname, resolve } from 'node:path';
import { nameOf, type Node, type Rule } from './rule.ts';

interface ClosedRoom {
  entries: string[];
  from: string[];
}

const isIn = (file: string, place: string) => file === place || file.startsWith(`${place}/`);
const isAmong = (places: string[], file: string) => places.some((place) => isIn(file, place));

/**
 * Refuses imports of our own files that a table has no arrow for, be it for values or for types. A
 * file in two rooms, one inside of the other, keeps to both. Options: by room (a file or a folder),
 * the places that its files may import besides their own, separated by spaces; by closed room, its
 * entries, and the places outside that may import those. Nothing else outside imports from inside.
 */
export const arrows: Rule = {
  meta: { schema: [{ type: 'object' }, { type: 'object' }] },
  create({ filename, options, report }) {
    const table = Object.entries(options[0] as Record<string, string>);
    const closed = Object.entries((options[1] ?? {}) as Record<string, ClosedRoom>);
    const rooms = table.filter(([room]) => isIn(nameOf(filename), room));
    const check = ({ source }: Node) => {
      if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return;
      const imported = nameOf(resolve(dirname(filename), source.value));
      for (const [room, { entries, from }] of closed)
        if (isIn(imported, room) && !isIn(nameOf(filename), room))
          if (!isAmong(entries, imported) || !isAmong(from, nameOf(filename)))
            report({
              node: source,
              message: `${room} is entered by ${entries.join(', ')} from ${from.join(', ')}`,
            });
      for (const [room, others] of rooms)
        if (!isAmong([room, ...others.split(' ')], imported))
          report({
            node: source,
            message: `${room} may import ${others || 'no other room'}, and not ${imported} (\`arrows\` in oxlint.config.ts)`,
          });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      TSImportType: check,
    };
  },
};
