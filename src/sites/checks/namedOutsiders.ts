import { isMentioned, isNamed, isNumberNamed } from './namesInText.ts';
import type { Doubled, Outsider } from '../formats/faults.ts';
import { parseReference } from '../pages/urls.ts';

/** For each outsider, whether the request names it. */
export const namedOutsiders = (request: string, outsiders: Outsider[]): boolean[] =>
  outsiders.map(({ kind, value }) =>
    kind === 'telephone' ? isNumberNamed(request, value) : isNamed(request, value),
  );

/**
 * For each doubled link, whether the request asks for it: it names the target, or the words of one
 * of the entries. Entries with the same words are a mistake, whatever the request says.
 */
export const askedDoubles = (request: string, doubles: Doubled[]): boolean[] =>
  doubles.map(({ target, texts }) => {
    const { authority } = parseReference(target);
    const isTargetNamed =
      authority === ''
        ? isMentioned(request, target)
        : isNamed(request, authority.replace(/^\/\//, '').toLowerCase());
    const areDistinct = new Set(texts.map((text) => text.toLowerCase())).size === texts.length;
    return areDistinct && (isTargetNamed || texts.some((text) => isMentioned(request, text)));
  });
