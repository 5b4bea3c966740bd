/**
 * Returns a function that says whether one of the texts contains a whole value: `$1,200` does not
 * contain `$1`. A value that ends with `…` was cut, so it matches the beginning of a value.
 */
export function createValueFinder(texts: readonly string[]): (value: string) => boolean {
  const searchedText = texts.map(normalizeSpaces).join('\n');
  return (value) => {
    const isCut = value.endsWith('…');
    const searchedValue = normalizeSpaces(isCut ? value.slice(0, -1) : value);
    if (searchedValue === '') return false;
    for (
      let position = searchedText.indexOf(searchedValue);
      position !== -1;
      position = searchedText.indexOf(searchedValue, position + searchedValue.length)
    ) {
      const endPosition = position + searchedValue.length;
      const [charactersBefore, charactersAfter] = [
        searchedText.slice(Math.max(0, position - 2), position),
        searchedText.slice(endPosition, endPosition + 2),
      ];
      if ((isCut || !GOES_ON.test(charactersAfter)) && !COMES_FROM.test(charactersBefore))
        return true;
    }
    return false;
  };
}

const normalizeSpaces = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase();
const GOES_ON = /^(?:[\p{L}\p{N}]|[.,:/-]\p{N})/u;
const COMES_FROM = /(?:[\p{L}\p{N}$€£]|\p{N}[.,:/-])$/u;
