/**
 * Returns a function that tells whether one of the texts contains a value as a whole: `$1` is not
 * in `$1,200`. A value that ends with `…` was cut there.
 */
export function createSays(texts: readonly string[]): (value: string) => boolean {
  const within = texts.map(spaced).join('\n');
  return (value) => {
    const isCut = value.endsWith('…');
    const part = spaced(isCut ? value.slice(0, -1) : value);
    if (part === '') return false;
    for (let at = within.indexOf(part); at !== -1; at = within.indexOf(part, at + part.length)) {
      const end = at + part.length;
      const [before, after] = [within.slice(Math.max(0, at - 2), at), within.slice(end, end + 2)];
      if ((isCut || !GOES_ON.test(after)) && !COMES_FROM.test(before)) return true;
    }
    return false;
  };
}

const spaced = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase();
const GOES_ON = /^(?:[\p{L}\p{N}]|[.,:/-]\p{N})/u;
const COMES_FROM = /(?:[\p{L}\p{N}$€£]|\p{N}[.,:/-])$/u;
