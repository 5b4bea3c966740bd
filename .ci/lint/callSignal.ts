import { nameOf, type Rule } from './rule.ts';

/**
 * Refuses the Temporal SDK's `withAbortSignal` outside of one file. The SDK never removes its
 * listeners from the signal that it gets, so every call needs a signal of its own, which that file
 * gives it. Option: the file.
 */
export const callSignal: Rule = {
  meta: { schema: [{ type: 'string' }] },
  create({ filename, options: [helper], report }) {
    if (nameOf(filename) === helper) return {};
    return {
      MemberExpression(node) {
        const { name, value = name } = node.property!;
        if (value === 'withAbortSignal')
          report({ node, message: `The SDK keeps what it calls: use ${String(helper)}` });
      },
    };
  },
};
