import type { ModelMessage } from 'ai';
import { visible } from '../../contract/visible.ts';
import type { Conversation, LoadedPicture, ToolResult } from '../agent.ts';

/** Tokens of a picture, about: providers count at most so many for one. */
const PICTURE_TOKENS = 1_600;

/**
 * The message with the pictures of a turn's results, as data, behind the results; none if there are
 * none. Not every protocol has pictures in results.
 */
export function pictureMessages(
  results: ToolResult[],
  loaded: Conversation['pictures'],
  between: (name: string, text: string) => string,
): ModelMessage[] {
  const shown = results
    .flatMap(({ pictures = [] }) => pictures)
    .flatMap(({ path, id }) => {
      const picture = loaded?.get(id);
      return picture ? [{ path, picture }] : [];
    });
  if (shown.length === 0) return [];
  const names = shown.map(({ path }) => visible(path)).join('\n');
  const text = `The pictures of the pages that you read, in this order, as data:\n${between('pictures', names)}`;
  const files = shown.map(({ picture }) => fileOf(picture));
  return [{ role: 'user', content: [{ type: 'text', text }, ...files] }];
}

const fileOf = ({ mediaType, base64 }: LoadedPicture) => ({
  type: 'file' as const,
  mediaType,
  data: base64,
});

const filesIn = ({ content }: ModelMessage): number =>
  typeof content === 'string' ? 0 : content.filter(({ type }) => type === 'file').length;

/** Messages without those that have pictures. */
export const withoutPictures = (messages: ModelMessage[]): ModelMessage[] =>
  messages.filter((message) => filesIn(message) === 0);

/** Tokens of all pictures in messages, about. */
export const pictureTokens = (messages: ModelMessage[]): number =>
  messages.reduce((sum, message) => sum + filesIn(message), 0) * PICTURE_TOKENS;
