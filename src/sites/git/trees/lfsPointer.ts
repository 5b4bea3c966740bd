const BEGINNING = 'version https://git-lfs.github.com/spec/v1\n';
/** The sizes of a pointer: with its three lines, and the most that Git LFS reads. */
const [LEAST_BYTES, MOST_BYTES] = [120, 1024];

/** Whether a file has a size that a Git LFS pointer can have. */
export const mayBePointer = ({ size }: { size: number }): boolean =>
  size >= LEAST_BYTES && size < MOST_BYTES;

/** Whether a file is a Git LFS pointer (git-lfs, "spec.md"), which names a file kept elsewhere. */
export const isLfsPointer = (content: Uint8Array): boolean =>
  Buffer.from(content.subarray(0, BEGINNING.length)).toString('latin1') === BEGINNING;
