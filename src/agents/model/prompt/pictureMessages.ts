import type { ModelMessage } from 'ai';
import { removeInvisible } from '../../../contract/text/removeInvisible.ts';
import type { AgentConversation, LoadedPicture, ToolResult } from '../../shared/agentTypes.ts';

/** Tokens of a picture, about: providers count at most so many for one. */
const TOKENS_PER_PICTURE = 1_600;

/**
 * The message with the pictures of a turn's results, which follows the message with the results.
 * Not every protocol allows pictures in results. Empty if there are no pictures.
 */
export function createPictureMessages(
  results: ToolResult[],
  loaded: AgentConversation['pictures'],
  encloseText: (name: string, text: string) => string,
): ModelMessage[] {
  const shownPictures = results
    .flatMap(({ pictures = [] }) => pictures)
    .flatMap(({ path, id }) => {
      const picture = loaded?.get(id);
      return picture ? [{ path, picture }] : [];
    });
  if (shownPictures.length === 0) return [];
  const visiblePaths = shownPictures.map(({ path }) => removeInvisible(path)).join('\n');
  const text = `The pictures of the pages that you read, in this order, as data:\n${encloseText('pictures', visiblePaths)}`;
  const pictureParts = shownPictures.map(({ picture }) => createPicturePart(picture));
  return [{ role: 'user', content: [{ type: 'text', text }, ...pictureParts] }];
}

const createPicturePart = ({ mediaType, base64 }: LoadedPicture) => ({
  type: 'file' as const,
  mediaType,
  data: base64,
});

const countPictures = ({ content }: ModelMessage): number =>
  typeof content === 'string' ? 0 : content.filter(({ type }) => type === 'file').length;

/** Messages without those that have pictures. */
export const withoutPictures = (messages: ModelMessage[]): ModelMessage[] =>
  messages.filter((message) => countPictures(message) === 0);

/** Tokens of all pictures in messages, about. */
export const countPictureTokens = (messages: ModelMessage[]): number =>
  messages.reduce((sum, message) => sum + countPictures(message), 0) * TOKENS_PER_PICTURE;
