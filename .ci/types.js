import ts from 'typescript';

/** What the compiler says of a file, from the program that the typed rules read: `tsc` would make it once more. */
export default {
  rules: {
    types: {
      create(context) {
        const { program, esTreeNodeToTSNodeMap } = context.sourceCode.parserServices;
        return {
          Program(node) {
            const file = esTreeNodeToTSNodeMap.get(node);
            for (const { start, messageText } of [
              ...program.getSyntacticDiagnostics(file),
              ...program.getSemanticDiagnostics(file),
            ])
              context.report({
                loc: context.sourceCode.getLocFromIndex(start),
                message: '{{said}}',
                data: { said: ts.flattenDiagnosticMessageText(messageText, ' ') },
              });
          },
        };
      },
    },
  },
};
