import type { AgentConversation, LoadedPicture } from '../src/agents/shared/agentTypes.ts';
import { pictureType } from '../src/agents/shared/site/taskPictures.ts';
import type { GitRepository } from '../src/sites/git/repository.ts';

/**
 * Reads the pictures that a conversation's results show, by their blobs' ids. Files that are no
 * pictures are left out. Once a provider has refused a task's pictures, none is read any more.
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
