import { limits } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { Tree } from '../git/repository.ts';
import type { PageSource } from '../formats/format.ts';

/**
 * A page's file with its text. One that is too large is not read: a small repository can have very
 * many of them.
 * @throws DomainError LIMIT_EXCEEDED over `limits.pageBytes`, and as `Tree.read`
 */
export async function readPageSource(tree: Tree, path: string): Promise<PageSource> {
  checkPageBytes(path, 'has', tree.entries.get(path)?.size ?? 0);
  return { path, source: await tree.read(path) };
}

/** Throws LIMIT_EXCEEDED: `<path> <has> <bytes> bytes; …`. */
export function checkPageBytes(path: string, has: string, bytes: number): void {
  if (bytes > limits.pageBytes)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `${path} ${has} ${bytes} bytes; at most ${limits.pageBytes} are allowed`,
    );
}
