import { wordSet } from '../../../text/wordLists.ts';
import { placeholdersInText } from '../../../sites/checks/placeholders.ts';
import { foldWords } from './foldText.ts';
import type { JunkCode } from './junkNames.ts';

/** Error values of Excel, LibreOffice and Google Sheets. Excel translates them. */
const SPREADSHEET_ERRORS = wordSet(`
   #NULL! #DIV/0! #VALUE! #REF! #NAME? #NUM! #N/A #GETTING_DATA #SPILL! #CALC! #FIELD! #BLOCKED! #CONNECT! #UNKNOWN!
   #BUSY! #ERROR! #EXTERNAL! #TIMEOUT! #PYTHON! #MACRO?
   #WERT! #BEZUG! #ZAHL! #NV #ÜBERLAUF! #KALK! #FELD! #BLOCKIERT! #VERBINDEN! #UNBEKANNT! #AUSGELASTET!
   #VERDI! #NAVN? #I/T #VÆRDI! #REFERENCE! #OVERFØRSEL! #OVERFLYT! #OVERLØP!
   #VÄRDEFEL! #REFERENS! #NAMN? #OGILTIGT! #SAKNAS! #DIVISION/0! #SKÄRNING! #UTSPILL!
   #NUL! #VALEUR! #NOM? #NOMBRE! #PROPAGATION! #DÉVERS! #CALCUL! #CHAMP!
   #¡NULO! #¡DIV/0! #¡VALOR! #¡REF! #¿NOMBRE? #¡NUM! #N/D #¡DESBORDAMIENTO! #¡CALC! #¡CAMPO!
   #NULLO! #VALORE! #RIF! #NOME? #ESPANSIONE! #CALCOLO!
   #NULO! #VALOR! #NÚM! #DESPEJAR! #DESPEJO! #CÁLCULO!
   #LEEG! #DEEL/0! #WAARDE! #VERW! #NAAM? #GETAL! #N/B #OVERLOOP! #BEREKENEN!
   #TYHJÄ! #JAKO/0! #ARVO! #VIITTAUS! #NIMI? #LUKU! #PUUTTUU!
   #ZERO! #DZIEL/0! #ARG! #ADR! #NAZWA? #LICZBA! #ROZLANIE!
   #HODNOTA! #ODKAZ! #NÁZEV? #ČÍSLO! #DĚLENÍ_NULOU! #NENÍ_K_DISPOZICI
   #HODN! #ÉRTÉK! #HIV! #NÉV? #SZÁM! #HIÁNYZIK #ZÉRÓOSZTÓ!
   #DEĞER! #BAŞV! #AD? #SAYI! #YOK #SAYI/0! #BOŞ!
   #ССЫЛКА! #ЗНАЧ! #ИМЯ? #ЧИСЛО! #Н/Д #ДЕЛ/0! #ПУСТО! #ПЕРЕНОС!`);
const ERROR_WORD = /#[^\s#,;:()"'<>]{1,24}/gu;
/** Excel's signs for a column that is too narrow, and LibreOffice's numbered errors. */
const WHOLE_ERROR = /^(?:#{3,}|Err:5\d\d)$/u;

/** Placeholders that must be the whole text. */
const PLACEHOLDER =
  /^(?:n\/a|n\.\s?a\.|not available|tbd|tbc|t\.b\.d\.|k\.\s?A\.|NULL|null|undefined|NaN|nan|Invalid [Dd]ate|TODO|FIXME|todo:?|placeholder|lorem ipsum\b.*|\?{2,}|_{2,})[.!]?$/su;
const PLACEHOLDER_IN_ANY_CASE =
  /^(?:x{3,}|n\/a|n\.\s?a\.|tbd|tbc|t\.b\.d\.|not available|placeholder|lorem ipsum\b.*)[.!]?$/isu;

/** A placeholder in place of a name or value at the end of a text: `Web design in n/a`. */
const PLACEHOLDER_AT_END = /(?:[:–-]|\b(?:in|at|for|near|from|of))\s?n\/a[.!]?$/iu;

/** Merge fields anywhere in a text. `placeholdersInText` finds `{{city}}` and the like. */
const MERGE_FIELD =
  /\*\|[A-Z][A-Z0-9_:]{1,40}\|\*|%%[\p{L}_]{2,40}%%|(?<![\p{L}\p{N}])%[A-Z][A-Z_]{2,40}%|<<[\p{L}\p{N}_ ]{2,40}>>|##[\p{L}_]{2,40}##|\[\[[\p{L}_ ]{2,40}\]\]/u;
const BRACKETED_WORD =
  /«\s?([\p{L}\p{N}_ -]{2,40}?)\s?»|\[([\p{L}\p{N}_ -]{2,40})\](?![([])|\{([\p{L}\p{N}_ -]{2,40})\}|<([\p{L}\p{N}_ -]{2,40})>|%([\p{L}\p{N}_]{2,40})%/gu;

/**
 * Detects a spreadsheet's error, an unfilled merge field, or a placeholder such as `n/a`, anywhere
 * in a text. null for other texts.
 * @param isColumnName whether a folded word is a column's name. If so, `[City]` is a merge field.
 */
export function findJunk(text: string, isColumnName: (name: string) => boolean): JunkCode | null {
  const trimmed = text.trim();
  const isError = WHOLE_ERROR.test(trimmed) || (trimmed.match(ERROR_WORD) ?? []).some(isErrorWord);
  if (isError) return 'spreadsheet-error';
  if (MERGE_FIELD.test(trimmed) || hasMergeField(trimmed, isColumnName)) return 'merge-field';
  const isPlaceholder = [PLACEHOLDER, PLACEHOLDER_IN_ANY_CASE, PLACEHOLDER_AT_END].some((pattern) =>
    pattern.test(trimmed),
  );
  if (isPlaceholder) return 'placeholder';
  const [foundPlaceholder] = placeholdersInText(trimmed);
  return foundPlaceholder === undefined
    ? null
    : /^[[{<$]/.test(foundPlaceholder) && !/^\[object/.test(foundPlaceholder)
      ? 'merge-field'
      : 'placeholder';
}

const isErrorWord = (word: string) =>
  SPREADSHEET_ERRORS.has(word) || SPREADSHEET_ERRORS.has(word.replace(/[.)\]}…]$/u, ''));

const hasMergeField = (text: string, isColumnName: (name: string) => boolean) =>
  [...text.matchAll(BRACKETED_WORD)].some(([matchedText, ...capturedNames]) => {
    const name = capturedNames.find((candidate) => candidate !== undefined)!;
    const isWholeText = matchedText === text;
    const isCapitalField =
      isWholeText && /^[[{<%]/.test(matchedText) && /^[A-Z][A-Z_ ]+$/.test(name);
    return (
      isCapitalField || /[\p{L}\p{N}]_[\p{L}\p{N}]/u.test(name) || isColumnName(foldWords(name))
    );
  });
