const WRITING_VERB =
  /^(?:please |kindly )?(?:(?:an? |the )?new page|write|mention|focus on|emphasi[sz]e|highlight|describe|target|tailor|ensure|avoid|translate|do not|don['’]t)\b/iu;
const CREATING_VERB =
  /^(?:please |kindly )?(?:create|make|generate|use|add|include|keep|adapt|change|replace)\b/iu;
const WRITING_TERM =
  /\b(?:page|tone|headline|title|section|paragraph|copy|text|audience|keywords?|sentences?|style|voice|call to action|cta)\b/iu;
/** Patterns for the beginning of a letter to the person who writes the page. */
const LETTER_OPENINGS = [
  /^(?:hi|hello|hey|dear|thanks|thank you|hallo|danke|liebe[rs]?)\b(?! (?:from|in|to)\b)/iu,
  /^(?:(?:can|could) you|would you(?! like| rather| prefer)|this is for|please (?:keep|make|use|add|write))\b/iu,
  /^(?:we|i) (?:need|want|would like)\b(?! (?:all|every|you|your)\b)/iu,
];
const splitOrderSentences = (text: string) => text.split(/(?<=[.!?])\s+/u);

const isWriterInstruction = (sentence: string) =>
  WRITING_VERB.test(sentence) ||
  LETTER_OPENINGS.some((opening) => opening.test(sentence)) ||
  (CREATING_VERB.test(sentence) && WRITING_TERM.test(sentence));

/**
 * Whether a text has an instruction to a writer, such as `Write a friendly page`. A text such as
 * `Make your shop visible` may be the page's own.
 */
export const hasWriterInstruction = (text: string): boolean =>
  splitOrderSentences(text).some(isWriterInstruction);

/** A text without its sentences that only instruct a writer. */
export const removeWriterInstructions = (text: string): string =>
  splitOrderSentences(text)
    .filter((sentence) => !isWriterInstruction(sentence))
    .join(' ');
