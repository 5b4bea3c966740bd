import type { Node, Rule } from './rule.ts';

const messages = new Map([
  ['normalize', 'Use `normalizeText`: `normalize` is quadratic in the number of marks in a row.'],
  ...['localeCompare', 'Collator'].map(
    (name) => [name, 'Compare with `<`: collation is quadratic in the number of marks.'] as const,
  ),
]);

/**
 * Texts from outside are normalized by `normalizeText` only, and never compared by collation: the
 * engine does both in quadratic time, and 200 kB of combining marks stop a process for seconds.
 */
export const noBareNormalize: Rule = {
  create({ report }) {
    const check = ({ callee }: Node) => {
      const message = messages.get(callee?.property?.name ?? '');
      if (message !== undefined) report({ node: callee!, message });
    };
    return { CallExpression: check, NewExpression: check };
  },
};
