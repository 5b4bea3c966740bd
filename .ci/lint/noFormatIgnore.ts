import type { Rule } from './rule.ts';

/** No comment keeps code from the formatter: what it writes too long is written otherwise. */
export const noFormatIgnore: Rule = {
  create: ({ sourceCode, report }) => {
    for (const { loc, value } of sourceCode.getAllComments())
      if (/\b(?:prettier|oxfmt)-ignore\b/.test(value))
        report({ loc, message: 'The formatter formats everything.' });
    return {};
  },
};
