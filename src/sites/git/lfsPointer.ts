const BEGINNING = 'version https://git-lfs.github.com/spec/v1\n';
/** The sizes of a pointer: with its three lines, and the most that Git LFS reads. */
const [LEAST_BYTES, MOST_BYTES] = [120, 1024];

/** Whether a file is small enough to be a pointer of Git LFS, and large enough. */
export const mayBePointer = ({ size }: { size: number }): boolean =>
  size >= LEAST_BYTES && size < MOST_BYTES;

/** Whether a file is a pointer of Git LFS (git-lfs, "spec.md"), which stands for another file. */
export const isLfsPointer = (content: Uint8Array): boolean =>
  Buffer.from(content.subarray(0, BEGINNING.length)).toString('latin1') === BEGINNING;
