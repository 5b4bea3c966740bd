import { languageTag } from '../../text/languageTag.ts';
import type { ContextData } from './contextData.ts';
import { fieldNamed, names } from './contextKeys.ts';

/** The page's language as the context writes it, and its tag. null if the context names none. */
export function languageOf(context: ContextData): { given: string; tag: string } | null {
  const given = fieldNamed(context, names.language)?.values[0] ?? '';
  const tag = languageTag(given);
  return tag === null ? null : { given, tag };
}
