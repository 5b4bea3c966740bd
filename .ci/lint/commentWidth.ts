import type { Rule } from './rule.ts';

/**
 * The lines of comments have at most the characters that its option says. The formatter sees to
 * those with code.
 */
export const commentWidth: Rule = {
  meta: { schema: [{ type: 'number' }] },
  create({ options, sourceCode, report }) {
    const width = options[0] as number;
    const lines = sourceCode.text.split('\n');
    if (lines.every((line) => line.length <= width)) return {};
    for (const { loc } of sourceCode.getAllComments())
      for (let line = loc.start.line; line <= loc.end.line; line++) {
        const text = lines[line - 1] ?? '';
        const isAfterCode =
          line === loc.start.line && /[^\s{]/.test(text.slice(0, loc.start.column));
        if (text.length > width && !isAfterCode)
          report({
            loc,
            message: `Line ${line} has ${text.length} characters, a comment's has at most ${width}`,
          });
      }
    return {};
  },
};
