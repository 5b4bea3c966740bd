import { statfs } from 'node:fs/promises';

/** The disk is nearly full if less than the reserve is free: 1 GiB, or 5 % of a small disk. */
const RESERVE_BYTES = 1024 ** 3;
const RESERVE_PART = 0.05;

/** The numbers that `statfs` returns for a file system. */
interface FileSystemStats {
  /** Bytes. */
  bsize: number;
  blocks: number;
  /** Blocks available to users without privileges. */
  bavail: number;
}

/** Half of the size in bytes of a folder's file system. Infinity if the size can't be read. */
export const halfOfDisk = (folder: string): Promise<number> =>
  statfs(folder).then(
    ({ bsize, blocks }) => (blocks * bsize) / 2,
    () => Infinity,
  );

/** Free and reserved space in bytes. */
interface DiskRoom {
  free: number;
  reserve: number;
}

/** The disk with the data folder. */
export interface Disk {
  /**
   * Returns true, or the reason not to start work. Throws the system's error if the disk can't be
   * read.
   */
  check(): Promise<true | string>;
  /**
   * Whether the disk has room for this many more bytes without being nearly full. True if the disk
   * can't be read.
   */
  hasRoom(bytes?: number): Promise<boolean>;
}

/**
 * Watches the free space of the disk with a folder.
 * @param readFileSystem reads a folder's file system. Concurrent calls share one reading
 */
export function createDisk(
  folder: string,
  readFileSystem: (folder: string) => Promise<FileSystemStats> = (folderPath) => statfs(folderPath),
): Disk {
  let runningRead: Promise<FileSystemStats> | undefined;

  async function room(): Promise<DiskRoom> {
    runningRead ??= readFileSystem(folder).finally(() => (runningRead = undefined));
    const { bsize, blocks, bavail } = await runningRead;
    return {
      free: bavail * bsize,
      reserve: Math.min(RESERVE_BYTES, blocks * bsize * RESERVE_PART),
    };
  }

  return {
    async check() {
      const { free, reserve } = await room();
      if (free >= reserve) return true;
      return `The disk of DATA_DIR is nearly full: less than ${Math.ceil(reserve / 1024 ** 2)} MiB are free`;
    },
    hasRoom: (bytes = 0) =>
      room().then(
        ({ free, reserve }) => free - bytes >= reserve,
        () => true,
      ),
  };
}
