const LETTERS: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
};

/** A text for comparison: lower case, without diacritics (`São` = `sao`). */
export const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[ßøłđðþæœı]/gu, (letter) => LETTERS[letter]!);

/** As `fold`, with a space for everything but letters and digits: `sao-paulo` = `São  Paulo`. */
export const foldWords = (text: string): string => {
  const words = isAscii(text)
    ? text.toLowerCase().replace(/[^a-z0-9]+/g, ' ')
    : fold(text).replace(/[^\p{L}\p{N}]+/gu, ' ');
  return words.trim();
};

export const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);

/** A text on one line for comparison, in its own case, with single spaces. */
export const oneLine = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();
