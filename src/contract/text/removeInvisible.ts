/** Line ends of all kinds but `\n`. */
const lineEnds = /\r\n?|[\v\f\x85\u2028\u2029]/g;

/** Letters and marks of scripts in which joiners change the spelling. */
const arabic = String.raw`[[\p{sc=Arab}\p{sc=Syrc}]&&[\p{L}\p{M}]]`;
const indic = String.raw`[[\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}]&&[\p{L}\p{M}]]`;
const indicMark = String.raw`[[\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}]&&\p{M}]`;

/**
 * Invisible characters that a script or an emoji needs: one at a time, between visible characters.
 */
const neededPatterns = [
  String.raw`(?<=${arabic})\u200C(?=${arabic})`,
  String.raw`(?<=${arabic})\u200D`,
  String.raw`(?<=${indic})[\u200C\u200D](?=${indic})`,
  String.raw`(?<=${indicMark})\u200D`,
  String.raw`(?<=[\u1820-\u18AA])[\u180B-\u180E]`,
  String.raw`(?<=\p{Extended_Pictographic})\uFE0F`,
  String.raw`(?<=[\d#*])\uFE0F(?=\u20E3)`,
  String.raw`(?<=\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?)\u200D(?=\p{Extended_Pictographic})`,
];
/**
 * All other invisible characters: control and direction marks, zero widths, tags, variation
 * selectors, fillers.
 */
const hiddenClass = String.raw`[[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB]--[\n\t]]`;
/** A needed character follows a visible one, so that it is the first of those that are hidden. */
const invisiblePattern = new RegExp(`(${neededPatterns.join('|')})|${hiddenClass}+`, 'gv');

/**
 * Removes characters that are invisible or change the text's direction (Unicode:
 * Default_Ignorable_Code_Point, Bidi_Control, Cc). A language model would read them though people
 * can't see them. Joiners stay inside words and emoji that need them. Line ends become `\n`; tabs
 * stay.
 */
export const removeInvisible = (text: string): string =>
  text.toWellFormed().replace(lineEnds, '\n').replace(invisiblePattern, '$1');
