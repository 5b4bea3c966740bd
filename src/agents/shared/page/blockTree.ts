import { mapById } from '../../../contract/mapById.ts';
import type { TemplateBlock } from '../../../sites/formats/pageParts.ts';

/**
 * A page's blocks, which are parts that can be removed by themselves, with lookups of what contains
 * a block and what it contains.
 */
export interface BlockTree {
  blocks: readonly TemplateBlock[];
  labels: ReadonlySet<string>;
  /** The innermost block that contains a slot or an element. */
  blockOf(id: string): TemplateBlock | undefined;
  around(block: TemplateBlock): TemplateBlock | undefined;
  children(block: TemplateBlock): readonly TemplateBlock[];
  /** The ids of everything in a block: texts, media, blocks. */
  idsIn(block: TemplateBlock): string[];
}

export function createBlockTree(blocks: readonly TemplateBlock[]): BlockTree {
  const blocksById = mapById(blocks);
  const blocksByParent = Map.groupBy(blocks, ({ around }) => around);
  const blockByContent = new Map(
    blocks.flatMap((block) => [...block.slots, ...block.media].map((id) => [id, block])),
  );
  const children = (block: TemplateBlock) => blocksByParent.get(block.id) ?? [];
  const idsIn = (block: TemplateBlock): string[] => [
    block.id,
    ...block.slots,
    ...block.media,
    ...children(block).flatMap(idsIn),
  ];
  return {
    blocks,
    labels: new Set(blocks.flatMap(({ labels }) => labels)),
    blockOf: (id) => blocksById.get(id) ?? blockByContent.get(id),
    around: ({ around }) => (around === null ? undefined : blocksById.get(around)),
    children,
    idsIn,
  };
}
