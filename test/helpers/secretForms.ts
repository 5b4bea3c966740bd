/** Ways in which programs write a text. */
const encodings: Record<string, (text: string) => string> = {
  plain: (text) => text,
  percent: encodeURIComponent,
  'percent in lower case': (text) =>
    encodeURIComponent(text).replace(/%../g, (escape) => escape.toLowerCase()),
  base64: (text) => Buffer.from(text).toString('base64'),
};

/** All forms of a token, alone and with its user. */
export function formsOf(token: string, username: string): string[] {
  const texts = [token, `${username}:${token}`];
  return texts.flatMap((text) => Object.values(encodings).map((encode) => encode(text)));
}

/** What a remote says that repeats a token in every form. */
export const sentencesWith = (token: string, username: string): string[] =>
  formsOf(token, username).map((form) => `denied for ${form} (try again)`);
