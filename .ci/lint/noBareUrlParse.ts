import type { Node, Rule } from './rule.ts';

const parsers = ['parse', 'canParse'];

/**
 * Texts from outside are parsed as URLs by `parseUrl` only: the URL standard converts a host to
 * Punycode in quadratic time, and the address in a forge's answer stopped a process for seconds.
 */
export const noBareUrlParse: Rule = {
  create({ report }) {
    return {
      CallExpression({ callee }: Node) {
        if (callee?.object?.name === 'URL' && parsers.includes(callee.property?.name ?? ''))
          report({
            node: callee,
            message: 'Use `parseUrl`: `URL.parse` is quadratic in the host.',
          });
      },
    };
  },
};
