import { isMentioned, isHostNamed, isNumberNamed } from './namesInText.ts';
import type { DuplicateLink, ExternalReference } from '../formats/pageFindings.ts';
import { parseReference } from '../pages/urls/urls.ts';

/** For each external reference, whether the request names it. */
export const checkNamedReferences = (request: string, references: ExternalReference[]): boolean[] =>
  references.map(({ kind, value }) =>
    kind === 'telephone' ? isNumberNamed(request, value) : isHostNamed(request, value),
  );

/**
 * For each duplicate link, whether the request asks for it: it names the target, or the words of
 * one of the entries. Entries with the same words are a mistake, whatever the request says.
 */
export const checkRequestedDuplicates = (request: string, duplicates: DuplicateLink[]): boolean[] =>
  duplicates.map(({ target, texts }) => {
    const { authority } = parseReference(target);
    const isTargetNamed =
      authority === ''
        ? isMentioned(request, target)
        : isHostNamed(request, authority.replace(/^\/\//, '').toLowerCase());
    const areDistinct = new Set(texts.map((text) => text.toLowerCase())).size === texts.length;
    return areDistinct && (isTargetNamed || texts.some((text) => isMentioned(request, text)));
  });
