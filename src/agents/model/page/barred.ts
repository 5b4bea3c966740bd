/** Puts a bar before each line, so that no text in it can end the block. */
export const barred = (text: string) => `| ${text.replaceAll('\n', '\n| ')}`;
