/** A text without characters that nobody sees, and without those that turn the direction of what follows. */
export const visible = (text: string): string =>
  text.replace(/[\p{Cf}\p{Co}\u{e0000}-\u{e0fff}\u{fe00}-\u{fe0f}]|(?![\t\n])\p{Cc}/gu, '');
