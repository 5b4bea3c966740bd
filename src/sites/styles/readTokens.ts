import { tokenize, type CSSToken } from '@csstools/css-tokenizer';

/** A text's tokens, as browsers read style rules (CSS Syntax 3), and whether it is whole. */
export interface Tokens {
  tokens: CSSToken[];
  /** The first fault, such as a string without an end. */
  fault: string | undefined;
}

/** The tokenizer makes an `Error` of each fault: without stacks, which take most of the time. */
export function readTokens(css: string): Tokens {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  let fault: string | undefined;
  try {
    const tokens = tokenize({ css }, { onParseError: ({ message }) => void (fault ??= message) });
    return { tokens, fault };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
