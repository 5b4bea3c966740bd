import type { Node, Rule } from './rule.ts';

/** `{ ...{ a, b } }` is `{ a, b }`, each on a line of its own. */
export const noLiteralSpread: Rule = {
  create({ report }) {
    const check = (node: Node) => {
      const { type } = node.argument!;
      if (type === 'ObjectExpression' || type === 'ArrayExpression')
        report({ node, message: 'Write the parts of the literal without the spread.' });
    };
    return { SpreadElement: check, JSXSpreadAttribute: check };
  },
};
