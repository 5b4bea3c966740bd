import { languageTag } from '../../../text/languageTag.ts';
import type { ContextData } from './contextData.ts';
import { findField, pageTextKeys } from './contextKeys.ts';

/** The page's language as the context writes it, and its tag. null if the context names none. */
export function readContextLanguage(context: ContextData): { given: string; tag: string } | null {
  const languageName = findField(context, pageTextKeys.language)?.values[0] ?? '';
  const tag = languageTag(languageName);
  return tag === null ? null : { given: languageName, tag };
}
