import { tokenize, type CSSToken } from '@csstools/css-tokenizer';

/** The tokens of style rules, as browsers read them (CSS Syntax 3). */
export interface StyleTokens {
  tokens: CSSToken[];
  /** The first parse error, such as a string without an end; undefined for none. */
  fault: string | undefined;
}

/**
 * Reads the tokens of style rules. The tokenizer makes an `Error` for each fault. Stack traces are
 * switched off meanwhile, since they take most of the time.
 */
export function readTokens(css: string): StyleTokens {
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
