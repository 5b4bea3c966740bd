const WRITER =
  /^(?:please |kindly )?(?:(?:an? |the )?new page|write|mention|focus on|emphasi[sz]e|highlight|describe|target|tailor|ensure|avoid|translate|do not|don['’]t)\b/iu;
const MAKER =
  /^(?:please |kindly )?(?:create|make|generate|use|add|include|keep|adapt|change|replace)\b/iu;
const WRITING =
  /\b(?:page|tone|headline|title|section|paragraph|copy|text|audience|keywords?|sentences?|style|voice|call to action|cta)\b/iu;
/** Patterns for the beginning of a letter to the person who writes the page. */
const LETTER = [
  /^(?:hi|hello|hey|dear|thanks|thank you|hallo|danke|liebe[rs]?)\b(?! (?:from|in|to)\b)/iu,
  /^(?:(?:can|could) you|would you(?! like| rather| prefer)|this is for|please (?:keep|make|use|add|write))\b/iu,
  /^(?:we|i) (?:need|want|would like)\b(?! (?:all|every|you|your)\b)/iu,
];
const sentencesOf = (text: string) => text.split(/(?<=[.!?])\s+/u);

const isOrderAlone = (sentence: string) =>
  WRITER.test(sentence) ||
  LETTER.some((own) => own.test(sentence)) ||
  (MAKER.test(sentence) && WRITING.test(sentence));

/**
 * Whether a text has an instruction to a writer, such as `Write a friendly page`. A text such as
 * `Make your shop visible` may be the page's own.
 */
export const isOrder = (text: string): boolean => sentencesOf(text).some(isOrderAlone);

/** A text without its sentences that only instruct a writer. */
export const withoutOrders = (text: string): string =>
  sentencesOf(text)
    .filter((sentence) => !isOrderAlone(sentence))
    .join(' ');
