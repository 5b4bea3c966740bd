import { statfs } from 'node:fs/promises';

/** With less free space the disk counts as nearly full. Of a small disk, a part is enough. */
const RESERVE_BYTES = 1024 ** 3;
const RESERVE_PART = 0.05;

/** What `statfs` tells of a file system. */
interface FileSystem {
  /** Bytes. */
  bsize: number;
  blocks: number;
  /** Blocks that are free for users without privileges. */
  bavail: number;
}

/** Half of the bytes of a folder's file system; Infinity if that can't be read. */
export const halfOf = (folder: string): Promise<number> =>
  statfs(folder).then(
    ({ bsize, blocks }) => (blocks * bsize) / 2,
    () => Infinity,
  );

/** Bytes. */
interface Room {
  free: number;
  reserve: number;
}

/** The file system of the data folder. */
export interface Disk {
  /** True, or why no work should start. Throws the system's error if the disk can't be read. */
  check(): Promise<true | string>;
  /** Whether the disk takes so many bytes without being nearly full. True if it can't be read. */
  hasRoom(bytes?: number): Promise<boolean>;
}

/** @param read reads the file system of a folder; never called while a call is running */
export function createDisk(
  folder: string,
  read: (folder: string) => Promise<FileSystem> = (path) => statfs(path),
): Disk {
  let reading: Promise<FileSystem> | undefined;

  async function room(): Promise<Room> {
    reading ??= read(folder).finally(() => (reading = undefined));
    const { bsize, blocks, bavail } = await reading;
    return {
      free: bavail * bsize,
      reserve: Math.min(RESERVE_BYTES, blocks * bsize * RESERVE_PART),
    };
  }

  return {
    async check() {
      const { free, reserve } = await room();
      if (free >= reserve) return true;
      return `The disk of DATA_DIR is nearly full: under ${Math.ceil(reserve / 1024 ** 2)} MiB are free`;
    },
    hasRoom: (bytes = 0) =>
      room().then(
        ({ free, reserve }) => free - bytes >= reserve,
        () => true,
      ),
  };
}
