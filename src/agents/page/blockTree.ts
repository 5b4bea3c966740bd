import { mapById } from '../../contract/mapById.ts';
import type { Block } from '../../sites/formats/page.ts';

/** A page's blocks, with lookups of what contains a block and what it contains. */
export interface BlockTree {
  blocks: readonly Block[];
  labels: ReadonlySet<string>;
  /** The innermost block that contains a slot or an element. */
  blockOf(id: string): Block | undefined;
  around(block: Block): Block | undefined;
  children(block: Block): readonly Block[];
  /** The ids of everything in a block: texts, media, blocks. */
  idsIn(block: Block): string[];
}

export function blockTree(blocks: readonly Block[]): BlockTree {
  const byId = mapById(blocks);
  const inside = Map.groupBy(blocks, ({ around }) => around);
  const holder = new Map(
    blocks.flatMap((block) => [...block.slots, ...block.media].map((id) => [id, block])),
  );
  const children = (block: Block) => inside.get(block.id) ?? [];
  const idsIn = (block: Block): string[] => [
    block.id,
    ...block.slots,
    ...block.media,
    ...children(block).flatMap(idsIn),
  ];
  return {
    blocks,
    labels: new Set(blocks.flatMap(({ labels }) => labels)),
    blockOf: (id) => byId.get(id) ?? holder.get(id),
    around: ({ around }) => (around === null ? undefined : byId.get(around)),
    children,
    idsIn,
  };
}
