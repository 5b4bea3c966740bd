import type { AgentConversation, LoadedPicture } from '../src/agents/shared/agentTypes.ts';
import { pictureType } from '../src/agents/shared/site/taskPictures.ts';
import type { GitRepository } from '../src/sites/git/repository.ts';

/**
 * Reads the pictures that the tools of a conversation have shown to the language model, by the ids
 * of their blobs in git. Leaves out files that are not pictures. Reads none if a turn was taken
 * without pictures, because the model's provider refused them.
 */
export async function loadPictures(
  { blob }: Pick<GitRepository, 'blob'>,
  { turns }: Pick<AgentConversation, 'turns'>,
): Promise<ReadonlyMap<string, LoadedPicture>> {
  const loadedPictures = new Map<string, LoadedPicture>();
  if (turns.some(({ turn }) => turn.isWithoutPictures)) return loadedPictures;
  const shownPictures = turns.flatMap(({ results }) =>
    results.flatMap(({ pictures = [] }) => pictures),
  );
  for (const { id } of shownPictures) {
    const bytes = await blob(id);
    const mediaType = pictureType(bytes);
    if (mediaType !== undefined)
      loadedPictures.set(id, { mediaType, base64: bytes.toString('base64') });
  }
  return loadedPictures;
}
